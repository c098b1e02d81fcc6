//! The two halves of a 16-byte word belong to two tasks, whole words to one task each.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut wide = 0_u128;
    let half = Shared::from_raw((&raw mut wide).cast::<u64>());
    // SAFETY of both blocks: `wide` outlives the join, and the halves are disjoint.
    rayon::join(|| unsafe { *half.at(0) = 1 }, || unsafe { *half.at(1) = 1 });
    assert_eq!(wide, (1 << 64) + 1);
    let mut many = [1_u128; 9];
    many.par_iter_mut().for_each(|wide| *wide <<= 100);
    assert_eq!(many, [1 << 100; 9]);
}
