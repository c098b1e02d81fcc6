//! A vector times a number plus another, again and again: chunks in parallel.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::size::Size;

const CHUNK: usize = 4096;

/// Adds up and checks with a multiplication.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((10_000, 3), (500_000, 1_500));
    let x: Vec<f32> = (0..n).map(|i| (i % 128) as f32).collect();
    let mut y = vec![1.0_f32; n];
    for _ in 0..rounds {
        y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y += 2.0 * x;
            }
        });
    }

    assert!(x.iter().zip(&y).all(|(x, y)| *y == 1.0 + 2.0 * rounds as f32 * x));
    y.iter().map(|&y| y as u64).sum()
}
