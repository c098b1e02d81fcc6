//! The Linpack benchmark: a linear system is solved by LU factorization with partial pivoting, by
//! columns. For each pivot, all columns to the right are updated in parallel.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::check::{Outcome, digest_floats, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

type Column = Vec<f64>;

/// Solves a system whose solution is all ones.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = size.pick(24, 800, 2000);
    let mut random = Random::new(12);
    let matrix: Vec<Column> =
        (0..n).map(|_| (0..n).map(|_| random.unit() - 0.5).collect()).collect();
    let right: Column = (0..n).map(|i| matrix.iter().map(|column| column[i]).sum()).collect();
    let mut factors = matrix.clone();
    let pivots = factor(&mut factors, racy);
    let solution = solve(&factors, &pivots, right.clone());

    let mut residual = 0.0_f64;
    for i in 0..n {
        let is: f64 = matrix.iter().zip(&solution).map(|(column, x)| column[i] * x).sum();
        residual = residual.max((is - right[i]).abs());
    }
    let normalized = residual / (n as f64 * f64::EPSILON);
    ensure(normalized < 30.0, "the solution does not solve the system")?;
    Ok(digest_floats(&solution))
}

/// Factors in place. Gives back which rows were exchanged.
fn factor(columns: &mut [Column], racy: bool) -> Vec<usize> {
    let n = columns.len();
    let mut pivots = Vec::with_capacity(n);
    for k in 0..n {
        let column = &mut columns[k];
        let greatest = |i: &usize, j: &usize| column[*i].abs().total_cmp(&column[*j].abs());
        let pivot = (k..n).max_by(greatest).expect("there are some");
        column.swap(k, pivot);
        let scale = 1.0 / column[k];
        column[k + 1..].iter_mut().for_each(|x| *x *= scale);
        pivots.push(pivot);

        let all = Shared::slice(columns);
        // The bug: one column too many, which is the one that all others need.
        let first = if racy { k } else { k + 1 };
        (first..n).into_par_iter().for_each(|j| {
            // SAFETY: without the bug, nobody else has column j, and nobody writes column k.
            let (column, factors) = unsafe { (&mut *all.at(j), &*all.at(k)) };
            column.swap(k, pivot); // race: the factors are exchanged once more
            let factor = column[k]; // race: likewise
            for i in k + 1..n {
                column[i] -= factor * factors[i]; // race: the factors change, too
            }
        });
    }
    pivots
}

fn solve(columns: &[Column], pivots: &[usize], mut x: Column) -> Column {
    let n = columns.len();
    for k in 0..n {
        x.swap(k, pivots[k]);
        for i in k + 1..n {
            x[i] -= x[k] * columns[k][i];
        }
    }
    for k in (0..n).rev() {
        x[k] /= columns[k][k];
        for i in 0..k {
            x[i] -= x[k] * columns[k][i];
        }
    }
    x
}
