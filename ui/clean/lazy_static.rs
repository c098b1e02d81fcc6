//! A `lazy_static!` table, first used in parallel tasks.

#![expect(clippy::non_std_lazy_statics, reason = "the crate is what is tested")]

use lazy_static::lazy_static;
use rayon::prelude::*;

lazy_static! {
    static ref SQUARES: Vec<u32> = (0..8).map(|index| index * index).collect();
}

fn main() {
    assert_eq!((0..8_usize).into_par_iter().map(|index| SQUARES[index]).sum::<u32>(), 140);
}
