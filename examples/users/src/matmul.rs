//! Multiplication of matrices that are vectors of rows of `f32`.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

type Matrix = Vec<Vec<f32>>;

/// Multiplies row by row, and checks the sums of rows.
pub fn run(size: Size) -> u64 {
    let n = size.pick(40, 1_000);
    let (a, b) = (matrix(n, 17), matrix(n, 18));
    let product: Matrix = a
        .par_iter()
        .map(|row| {
            let mut sums = vec![0.0; n];
            for (a, b) in row.iter().zip(&b) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            sums
        })
        .collect();
    let totals: Vec<f32> = b.par_iter().map(|row| row.iter().sum()).collect();
    for (row, a) in product.iter().zip(&a) {
        let expected: f32 = a.iter().zip(&totals).map(|(a, total)| a * total).sum();
        assert_eq!(row.iter().sum::<f32>(), expected);
    }
    product.iter().flatten().map(|&element| element as u64).sum()
}

/// The mistake: the innermost loop is parallel, and all add to the same element.
pub fn racy(size: Size) -> u64 {
    let n = size.pick(40, 128);
    let (a, b) = (matrix(n, 17), matrix(n, 18));
    let mut product = vec![vec![0.0_f32; n]; n];
    for (row, a) in product.iter_mut().zip(&a) {
        let shared = UnsafeSlice::new(row);
        a.par_iter().zip(&b).for_each(|(a, b)| {
            for (column, b) in b.iter().enumerate() {
                // SAFETY: none, that is the mistake.
                unsafe { *shared.get(column) += a * b } // race: all items add to it
            }
        });
    }
    product.iter().flatten().map(|&element| element as u64).sum()
}

/// Small whole numbers: all sums are exact.
fn matrix(n: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    (0..n).map(|_| (0..n).map(|_| random.below(4) as f32).collect()).collect()
}
