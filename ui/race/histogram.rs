//! A histogram whose bins are shared by all tasks without protection.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut bins = [0_u32; 4];
    let bin = Shared::slice(&mut bins);
    (0..64_usize).into_par_iter().for_each(|item| {
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *bin.at(item % 4) += 1 } //~ race 1
    });
    assert!(bins.iter().all(|&count| (1..=16).contains(&count)));
}
