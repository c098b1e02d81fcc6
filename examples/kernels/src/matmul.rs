//! Matrix product: the rows of the result in parallel, the inner loops in the order that runs along
//! rows.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::random::Random;
use crate::size::Size;

/// Multiplies two matrices and checks the product with a random vector.
pub fn run(size: Size) -> u64 {
    let n = size.pick(24, 768);
    let mut random = Random::new(1);
    let a: Vec<f64> = (0..n * n).map(|_| random.coarse()).collect();
    let b: Vec<f64> = (0..n * n).map(|_| random.coarse()).collect();
    let mut c = vec![0.0; n * n];
    multiply(&a, &b, &mut c, n);

    let vector: Vec<f64> = (0..n).map(|_| random.coarse()).collect();
    assert_eq!(apply(&c, &vector), apply(&a, &apply(&b, &vector)));
    c.iter().sum::<f64>() as u64
}

fn multiply(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    c.par_chunks_mut(n).zip(a.par_chunks(n)).for_each(|(c_row, a_row)| {
        for (factor, b_row) in a_row.iter().zip(b.chunks(n)) {
            for (c, b) in c_row.iter_mut().zip(b_row) {
                *c += factor * b;
            }
        }
    });
}

/// A matrix times a vector. All numbers are small multiples of a power of two, so it is exact.
fn apply(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.chunks(vector.len()).map(dot).collect()
}
