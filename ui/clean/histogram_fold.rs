//! A histogram with bins for every task, added up by `reduce`.

use rayon::prelude::*;

fn add(mut left: [u32; 4], right: [u32; 4]) -> [u32; 4] {
    left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
    left
}

fn main() {
    let count = |mut bins: [u32; 4], item: usize| {
        bins[item % 4] += 1;
        bins
    };
    let bins = (0..64_usize).into_par_iter().fold(|| [0; 4], count).reduce(|| [0; 4], add);
    assert_eq!(bins, [16; 4]);
}
