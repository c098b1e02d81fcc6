//! `once_cell`'s `Lazy` and `OnceCell`, first used in parallel tasks.

use once_cell::sync::{Lazy, OnceCell};
use rayon::prelude::*;

static SQUARES: Lazy<Vec<u32>> = Lazy::new(|| (0..8).map(|index| index * index).collect());

fn main() {
    let cell = OnceCell::new();
    let sum: u32 = (0..8_usize)
        .into_par_iter()
        .map(|index| SQUARES[index] + cell.get_or_init(|| vec![1_u32, 2])[1])
        .sum();
    assert_eq!(sum, 156);
}
