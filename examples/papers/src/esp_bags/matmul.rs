//! Dense matrix multiplication, a task for each row.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::check::{Outcome, digest_floats, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Multiplies two matrices and checks the product with a vector, exactly.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = size.pick(24, 600, 1000);
    let mut random = Random::new(18);
    let mut matrix = || -> Vec<f64> { (0..n * n).map(|_| random.coarse()).collect() };
    let (a, b) = (matrix(), matrix());
    // Columns of `b` as rows.
    let columns: Vec<f64> = (0..n * n).map(|at| b[at % n * n + at / n]).collect();
    let mut c = vec![0.0; n * n];
    let mut sum = 0.0;
    let shared = Shared::one(&mut sum);
    c.par_chunks_exact_mut(n).zip(a.par_chunks_exact(n)).for_each(|(c, a)| {
        let mut own = 0.0;
        // The bug: what every task needs for itself exists only once.
        let sum = if racy { shared } else { Shared::one(&mut own) };
        for (element, column) in c.iter_mut().zip(columns.chunks_exact(n)) {
            // SAFETY: without the bug, it is this task's own.
            unsafe { *sum.get() = 0.0 } // race: others add to it
            for (a, b) in a.iter().zip(column) {
                // SAFETY: likewise.
                unsafe { *sum.get() += a * b } // race: others add, too
            }
            // SAFETY: likewise.
            *element = unsafe { *sum.get() }; // race: it may be another's
        }
    });
    let ones = vec![1.0; n];
    let product = apply(&c, &ones);
    ensure(product == apply(&a, &apply(&b, &ones)), "the product is wrong")?;
    Ok(digest_floats(&c))
}

fn apply(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let dot = |row: &[f64]| row.iter().zip(x).map(|(a, x)| a * x).sum();
    matrix.chunks_exact(x.len()).map(dot).collect()
}
