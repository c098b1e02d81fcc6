//! A coarser grain than single items hides races within a leaf: with a minimum length of all
//! items there is one leaf, and that is what the program asked for.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut sum = 0_u32;
    let total = Shared::new(&mut sum);
    (0..16_u32).into_par_iter().with_min_len(16).for_each(|item| {
        // SAFETY: all items are in one task.
        unsafe { *total.get() += item }
    });
    assert_eq!(sum, 120);
}
