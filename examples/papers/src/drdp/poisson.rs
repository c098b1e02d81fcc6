//! Poisson's equation on the unit square, by Jacobi's iteration on blocks. In each iteration a block is
//! copied by one task and improved by another, which wait for the promises of the tasks before them
//! on the block and its neighbours.

use std::f64::consts::PI;

use rosser::{Promise, finish};

use crate::check::{Outcome, digest_floats, ensure_near};
use crate::shared::Shared;
use crate::size::Size;

/// The grid, with its border.
#[derive(Clone, Copy)]
struct Grid {
    /// Rows and columns.
    n: usize,
    /// Rows and columns of a block.
    block: usize,
}

/// Iterates from a multiple of the solution, which stays one, and compares the factor.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, block, iterations) = size.pick((24, 8, 3), (2048, 128, 5), (8192, 128, 3));
    let grid = Grid { n, block };
    let sines: Vec<f64> = (0..n).map(|i| (PI * i as f64 / (n - 1) as f64).sin()).collect();
    let wave = |at: usize| sines[at / n] * sines[at % n];
    // The Laplacian of the wave is the wave times this, on the grid, too.
    let step = 1.0 / (n - 1) as f64;
    let spread = (PI * step).cos();
    let eigenvalue = 4.0 * (1.0 - spread) / (step * step);
    let mut new: Vec<f64> = (0..n * n).map(|at| 2.0 * wave(at)).collect();
    let mut old = vec![0.0; n * n];
    let right: Vec<f64> = (0..n * n).map(|at| eigenvalue * wave(at) * step * step).collect();
    iterate(grid, Shared::slice(&mut old), Shared::slice(&mut new), &right, iterations, racy);

    let mut factor = 2.0;
    for _ in 0..iterations {
        factor = spread * factor + 1.0 - spread;
    }
    for (at, is) in new.iter().enumerate() {
        let inside = |i: usize| i > 0 && i < n - 1;
        if inside(at / n) && inside(at % n) {
            ensure_near("a value", *is, factor * wave(at), 1e-10)?;
        }
    }
    Ok(digest_floats(&new))
}

fn iterate(
    grid: Grid,
    old: Shared<f64>,
    new: Shared<f64>,
    right: &[f64],
    iterations: usize,
    racy: bool,
) {
    let across = grid.n / grid.block;
    let blocks = across * across;
    let promises =
        || -> Vec<Promise<()>> { (0..blocks * iterations).map(|_| Promise::new()).collect() };
    let (copied, improved) = (&promises(), &promises());
    // A block and those beside it.
    let around = move |block: usize| {
        let (i, j) = (block / across, block % across);
        let left = (j > 0).then(|| block - 1);
        let beside = (j + 1 < across).then_some(block + 1);
        let above = (i > 0).then(|| block - across);
        let below = (i + 1 < across).then_some(block + across);
        [Some(block), left, beside, above, below].into_iter().flatten()
    };
    finish(|s| {
        for iteration in 0..iterations {
            for block in 0..blocks {
                s.spawn(move |_| {
                    if iteration > 0 {
                        for other in around(block) {
                            improved[(iteration - 1) * blocks + other].get();
                        }
                    }
                    copy(grid, block, new, old);
                    copied[iteration * blocks + block].set(());
                });
            }
            for block in 0..blocks {
                s.spawn(move |_| {
                    for other in around(block) {
                        // The bug: the block above is not waited for.
                        if !(racy && other + across == block) {
                            copied[iteration * blocks + other].get();
                        }
                    }
                    improve(grid, block, old, new, right);
                    improved[iteration * blocks + block].set(());
                });
            }
        }
    });
}

impl Grid {
    /// The rows and columns of a block.
    fn ranges(self, block: usize) -> [std::ops::Range<usize>; 2] {
        let across = self.n / self.block;
        [block / across, block % across].map(|at| at * self.block..(at + 1) * self.block)
    }
}

fn copy(grid: Grid, block: usize, from: Shared<f64>, to: Shared<f64>) {
    let [rows, columns] = grid.ranges(block);
    for i in rows {
        let row = i * grid.n + columns.start..i * grid.n + columns.end;
        // SAFETY: those who improve the block are through, as are those who read it beside.
        let (from, to) =
            unsafe { (from.part(row.clone()).as_slice(), to.part(row).as_mut_slice()) };
        to.copy_from_slice(from); // race: see `improve`
    }
}

fn improve(grid: Grid, block: usize, old: Shared<f64>, new: Shared<f64>, right: &[f64]) {
    let [rows, columns] = grid.ranges(block);
    for i in rows.start.max(1)..rows.end.min(grid.n - 1) {
        for j in columns.start.max(1)..columns.end.min(grid.n - 1) {
            let at = i * grid.n + j;
            // SAFETY: without the bug, the block and those beside it have been copied; and nobody
            // else has the new one.
            unsafe {
                let beside = *old.at(at - 1) + *old.at(at + 1) + *old.at(at + grid.n);
                let above = *old.at(at - grid.n); // race: it may not be copied yet
                *new.at(at) = 0.25 * (beside + above + right[at]);
            }
        }
    }
}
