//! Products of a sparse matrix and a vector, the nonzeros in 64 parts, one for each task.

use rayon::scope;

use crate::check::{Outcome, digest_floats, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Tasks in each product.
const PARTS: usize = 64;

/// The nonzeros, by rows.
struct Matrix {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

/// Adds the same product many times, exactly.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, nonzeros, times) =
        size.pick((200, 1000, 2), (50_000, 250_000, 400), (500_000, 2_500_000, 200));
    let mut random = Random::new(16);
    let mut rows: Vec<usize> = (0..nonzeros).map(|_| random.below(n) as usize).collect();
    rows.sort_unstable();
    let columns = (0..nonzeros).map(|_| random.below(n) as usize).collect();
    let values = (0..nonzeros).map(|_| random.coarse()).collect();
    let matrix = Matrix { rows, columns, values };
    let x: Vec<f64> = (0..n).map(|_| random.coarse()).collect();

    let bounds: Vec<usize> = (0..=PARTS)
        .map(|part| {
            let at = part * nonzeros / PARTS;
            // The bug: parts end in the middle of rows.
            if racy { at } else { matrix.next_row(at) }
        })
        .collect();
    let mut y = vec![0.0; x.len()];
    for _ in 0..times {
        let all = Shared::slice(&mut y);
        scope(|s| {
            for part in bounds.windows(2) {
                let (matrix, x) = (&matrix, &x);
                s.spawn(move |_| matrix.add_part(part[0], part[1], x, all));
            }
        });
    }
    let mut expected = vec![0.0; x.len()];
    for at in 0..nonzeros {
        expected[matrix.rows[at]] += f64::from(times) * matrix.values[at] * x[matrix.columns[at]];
    }
    ensure(y == expected, "the product is wrong")?;
    Ok(digest_floats(&y))
}

impl Matrix {
    /// Where the next row begins.
    fn next_row(&self, at: usize) -> usize {
        let begins = |&at: &usize| at == 0 || self.rows[at] != self.rows[at - 1];
        (at..self.rows.len()).find(begins).unwrap_or(self.rows.len())
    }

    /// Adds what some of the nonzeros contribute to a product.
    fn add_part(&self, from: usize, to: usize, x: &[f64], y: Shared<f64>) {
        for at in from..to {
            let value = self.values[at] * x[self.columns[at]];
            // SAFETY: without the bug, no other task has the row.
            unsafe { *y.at(self.rows[at]) += value } // race: another part has the row, too
        }
    }
}
