//! The factors of a sparse matrix: A = L U, where U has ones on its diagonal. The matrix is made of
//! blocks, most of which are zero and left out. Every operation on a block is a task; it waits for
//! the promises of whoever was the last to write the blocks it needs, and sets one of its own, as
//! tasks with depend clauses do.
//!
//! The bug: an update waits for its block of L and for the block that it updates, but not for its
//! block of U.

use rosser::{Promise, finish};
use shared::Shared;

const BLOCKS: usize = 5;
const SIDE: usize = 4;
const LEN: usize = BLOCKS * SIDE;

/// The first element of a block. Blocks are stored one by one, each by rows.
fn block(matrix: Shared<f64>, i: usize, j: usize) -> Shared<f64> {
    Shared::from_raw(matrix.at((i * BLOCKS + j) * SIDE * SIDE))
}

/// A product of a row of one block and a column of another, as far as they reach.
fn product(x: Shared<f64>, row: usize, y: Shared<f64>, column: usize, reach: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..reach {
        // SAFETY: the blocks are inside the matrix, and the tasks that write them are through.
        sum += unsafe { *x.at(row * SIDE + k) * *y.at(k * SIDE + column) };
    }
    sum
}

/// Factors a block on the diagonal.
fn factor(d: Shared<f64>) {
    for k in 0..SIDE {
        for row in k..SIDE {
            // SAFETY: the block is inside the matrix, and this task's own for now.
            unsafe { *d.at(row * SIDE + k) -= product(d, row, d, k, k) }
        }
        for column in k + 1..SIDE {
            let rest = product(d, k, d, column, k);
            let at = k * SIDE + column;
            // SAFETY: as above.
            unsafe { *d.at(at) = (*d.at(at) - rest) / *d.at(k * SIDE + k) }
        }
    }
}

/// A block of U, to the right of a factored block on the diagonal.
fn solve_right(d: Shared<f64>, b: Shared<f64>) {
    for row in 0..SIDE {
        for column in 0..SIDE {
            let rest = product(d, row, b, column, row);
            let at = row * SIDE + column;
            // SAFETY: no other task writes `b` by now. That some may read it is the bug.
            unsafe { *b.at(at) = (*b.at(at) - rest) / *d.at(row * SIDE + row) } //~ race 1
        }
    }
}

/// A block of L, below a factored block on the diagonal.
fn solve_below(d: Shared<f64>, b: Shared<f64>) {
    for column in 0..SIDE {
        for row in 0..SIDE {
            // SAFETY: `b` is this task's own for now, and `d` is not written any more.
            unsafe { *b.at(row * SIDE + column) -= product(b, row, d, column, column) }
        }
    }
}

/// Subtracts the product of a block of L and one of U from a block.
fn update(l: Shared<f64>, u: Shared<f64>, b: Shared<f64>) {
    for row in 0..SIDE {
        for column in 0..SIDE {
            let mut sum = 0.0;
            for k in 0..SIDE {
                // SAFETY: the task that computes `l` is through; for `u` there is no such promise.
                sum += unsafe { *l.at(row * SIDE + k) * *u.at(k * SIDE + column) }; //~ race 1
            }
            // SAFETY: `b` is this task's own for now.
            unsafe { *b.at(row * SIDE + column) -= sum }
        }
    }
}

/// Which blocks are not zero, or will not stay so.
fn pattern() -> [[bool; BLOCKS]; BLOCKS] {
    let mut full = [[false; BLOCKS]; BLOCKS];
    for i in 0..BLOCKS {
        for j in 0..BLOCKS {
            full[i][j] = i.abs_diff(j) <= 1 || (i * j == 0 && (i + j) % 2 == 0);
        }
    }
    for k in 0..BLOCKS {
        for i in k + 1..BLOCKS {
            for j in k + 1..BLOCKS {
                full[i][j] |= full[i][k] && full[k][j];
            }
        }
    }
    full
}

/// Where an element is stored.
fn place(row: usize, column: usize) -> usize {
    let block = row / SIDE * BLOCKS + column / SIDE;
    block * SIDE * SIDE + row % SIDE * SIDE + column % SIDE
}

/// Waits for those who write what a task needs.
fn wait_for<const N: usize>(written: [Option<&Promise<()>>; N]) {
    for promise in written.into_iter().flatten() {
        promise.get();
    }
}

fn factor_all(matrix: Shared<f64>, full: &[[bool; BLOCKS]; BLOCKS]) {
    let promises: Vec<Promise<()>> = (0..BLOCKS.pow(3)).map(|_| Promise::new()).collect();
    finish(|s| {
        let mut unused = promises.iter();
        let mut promise = || unused.next().expect("there are enough");
        // For each block the promise of the last task that writes it.
        let mut written: [[Option<&Promise<()>>; BLOCKS]; BLOCKS] = [[None; BLOCKS]; BLOCKS];
        for k in 0..BLOCKS {
            let (needed, done) = ([written[k][k]], promise());
            written[k][k] = Some(done);
            let diagonal = block(matrix, k, k);
            s.spawn(move |_| {
                wait_for(needed);
                factor(diagonal);
                done.set(());
            });
            for i in (k + 1..BLOCKS).filter(|&i| full[k][i]) {
                let (needed, done) = ([written[k][k], written[k][i]], promise());
                written[k][i] = Some(done);
                s.spawn(move |_| {
                    wait_for(needed);
                    solve_right(diagonal, block(matrix, k, i));
                    done.set(());
                });
            }
            for i in (k + 1..BLOCKS).filter(|&i| full[i][k]) {
                let (needed, done) = ([written[k][k], written[i][k]], promise());
                written[i][k] = Some(done);
                s.spawn(move |_| {
                    wait_for(needed);
                    solve_below(diagonal, block(matrix, i, k));
                    done.set(());
                });
                for j in (k + 1..BLOCKS).filter(|&j| full[k][j]) {
                    let (needed, done) = ([written[i][k], written[i][j]], promise());
                    written[i][j] = Some(done);
                    s.spawn(move |_| {
                        wait_for(needed);
                        update(block(matrix, i, k), block(matrix, k, j), block(matrix, i, j));
                        done.set(());
                    });
                }
            }
        }
    });
}

/// How far the product of the factors is from the matrix.
fn error(matrix: &[f64], factors: &[f64]) -> f64 {
    let product = |row: usize, column: usize| -> f64 {
        let one = |k: usize| if k == column { 1.0 } else { factors[place(k, column)] };
        (0..=row.min(column)).map(|k| factors[place(row, k)] * one(k)).sum()
    };
    let error = |row, column| (matrix[place(row, column)] - product(row, column)).abs();
    (0..LEN * LEN).map(|at| error(at / LEN, at % LEN)).fold(0.0, f64::max)
}

fn main() {
    let full = pattern();
    let mut matrix = vec![0.0; LEN * LEN];
    for row in 0..LEN {
        for column in (0..LEN).filter(|&column| full[row / SIDE][column / SIDE]) {
            let large = if row == column { LEN as f64 } else { 0.0 };
            matrix[place(row, column)] = large + ((row * 7 + column * 3) % 10) as f64 / 10.0;
        }
    }
    let mut factors = matrix.clone();
    factor_all(Shared::slice(&mut factors), &full);
    let error = error(&matrix, &factors);
    println!("the error is {error:e}");
}
