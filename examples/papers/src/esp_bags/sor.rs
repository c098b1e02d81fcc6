//! Successive over-relaxation: rows with even numbers are improved in parallel, then those with odd
//! numbers, so that neighbours are never improved at the same time.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::join;

use crate::check::{Outcome, digest_floats, ensure};
use crate::shared::Shared;
use crate::size::Size;

const OMEGA: f64 = 1.25;

type Row = Vec<f64>;

/// Relaxes towards a solution that is known.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, sweeps) = size.pick((18, 3), (1000, 40), (2000, 100));
    // The sum of x² - y² at the neighbours of a point is four times that at the point.
    let solution = |i: usize, j: usize| {
        let (x, y) = (i as f64 / n as f64, j as f64 / n as f64);
        x * x - y * y
    };
    let start = |i: usize| -> Row {
        let border = |j: usize| i == 0 || i == n - 1 || j == 0 || j == n - 1;
        (0..n).map(|j| if border(j) { solution(i, j) } else { 0.0 }).collect()
    };
    let mut even: Vec<Row> = (0..n).step_by(2).map(start).collect();
    let mut odd: Vec<Row> = (1..n).step_by(2).map(start).collect();
    let error = |even: &[Row], odd: &[Row]| -> f64 {
        let row = |i: usize| if i.is_multiple_of(2) { &even[i / 2] } else { &odd[i / 2] };
        let square = |i: usize, j: usize| (row(i)[j] - solution(i, j)).powi(2);
        (0..n).map(|i| (0..n).map(|j| square(i, j)).sum::<f64>()).sum()
    };
    let mut before = error(&even, &odd);
    for _ in 0..sweeps {
        if racy {
            let (evens, odds) = (Shared::slice(&mut even), Shared::slice(&mut odd));
            // SAFETY: there is none. The bug: each reads what the other writes.
            let (early_even, early_odd) = unsafe { (evens.as_slice(), odds.as_slice()) };
            join(|| sweep(&mut even, early_odd, 0), || sweep(&mut odd, early_even, 1));
        } else {
            sweep(&mut even, &odd, 0);
            sweep(&mut odd, &even, 1);
        }
    }
    let after = error(&even, &odd);
    ensure(after < before, "it does not come nearer to the solution")?;
    before = after;
    sweep(&mut even, &odd, 0);
    sweep(&mut odd, &even, 1);
    ensure(error(&even, &odd) < before, "it does not come nearer to the solution")?;
    Ok(digest_floats(even.iter().chain(&odd).flatten()))
}

/// Improves the rows of one kind, between those of the other.
fn sweep(rows: &mut [Row], others: &[Row], first: usize) {
    let last = rows.len() + others.len() - 1;
    rows.par_iter_mut().enumerate().for_each(|(i, row)| {
        let number = 2 * i + first;
        if number == 0 || number == last {
            return;
        }
        let (above, below) = (&others[(number - 1) / 2], &others[i + first]);
        for j in 1..row.len() - 1 {
            let around = above[j] + below[j] + row[j - 1] + row[j + 1]; // race: not all are old
            row[j] += OMEGA * (around / 4.0 - row[j]); // race: others may read it now
        }
    });
}
