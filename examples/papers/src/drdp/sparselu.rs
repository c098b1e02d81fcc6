//! LU decomposition of a sparse matrix of blocks, without pivoting. Every operation on a block is a
//! task; it waits for the promises of whoever was the last to write the blocks it needs, and sets one
//! of its own, as tasks with depend clauses do.

use rosser::{Finish, Promise, finish};

use crate::check::{Outcome, digest_floats, ensure_near};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// A matrix of blocks that are stored by rows, those that are not zero and will not stay so.
struct Matrix {
    /// Blocks in each direction.
    blocks: usize,
    /// Rows and columns of a block.
    side: usize,
    /// Where blocks begin.
    starts: Vec<Option<usize>>,
    elements: Vec<f64>,
}

/// A block while tasks write it.
type Block = Shared<f64>;

/// Decomposes a matrix and checks the factors with a vector.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (blocks, side) = size.pick((6, 4), (64, 32), (128, 32));
    let mut matrix = Matrix::new(blocks, side);
    let n = blocks * side;
    let x: Vec<f64> = (0..n).map(|i| 1.0 + (i % 5) as f64).collect();
    let expected = matrix.apply(&x, |_, _| 1.0);
    matrix.decompose(racy);
    let upper = matrix.apply(&x, |i, j| if i <= j { 1.0 } else { 0.0 });
    let mut is = matrix.apply(&upper, |i, j| if i > j { 1.0 } else { 0.0 });
    is.iter_mut().zip(&upper).for_each(|(is, upper)| *is += upper);
    for (is, expected) in is.iter().zip(&expected) {
        ensure_near("a row's product", *is, *expected, 1e-8 * n as f64)?;
    }
    Ok(digest_floats(&matrix.elements))
}

impl Matrix {
    fn new(blocks: usize, side: usize) -> Self {
        let at = |i: usize, j: usize| i * blocks + j;
        let mut full: Vec<bool> = (0..blocks * blocks)
            .map(|at| (at / blocks, at % blocks))
            .map(|(i, j)| i.abs_diff(j) <= 1 || i % 2 == 0 && j % 2 == 0 && i.min(j) % 3 == 0)
            .collect();
        let given = full.clone();
        for k in 0..blocks {
            for i in k + 1..blocks {
                for j in k + 1..blocks {
                    full[at(i, j)] |= full[at(i, k)] && full[at(k, j)];
                }
            }
        }
        let mut random = Random::new(22);
        let (mut starts, mut elements) = (vec![None; blocks * blocks], Vec::new());
        for block in (0..blocks * blocks).filter(|&block| full[block]) {
            starts[block] = Some(elements.len());
            let heavy = if block / blocks == block % blocks { (blocks * side) as f64 } else { 0.0 };
            for element in 0..side * side {
                let value = if given[block] { random.unit() } else { 0.0 };
                let diagonal = element / side == element % side;
                elements.push(value + if diagonal { heavy } else { 0.0 });
            }
        }
        Self { blocks, side, starts, elements }
    }

    /// The product with a vector, of elements with weights.
    fn apply(&self, x: &[f64], weight: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for (block, start) in self.starts.iter().enumerate() {
            let Some(start) = start else { continue };
            for element in 0..self.side * self.side {
                let i = block / self.blocks * self.side + element / self.side;
                let j = block % self.blocks * self.side + element % self.side;
                y[i] += weight(i, j) * self.elements[start + element] * x[j];
            }
        }
        y
    }

    fn decompose(&mut self, racy: bool) {
        let (blocks, side) = (self.blocks, self.side);
        let starts = &self.starts;
        let full = |i: usize, j: usize| starts[i * blocks + j].is_some();
        let elements = Shared::slice(&mut self.elements);
        let block = |i: usize, j: usize| {
            let start = starts[i * blocks + j].expect("the block is there");
            elements.part(start..start + side * side)
        };
        let column = |k: usize| (k + 1..blocks).filter(move |&i| full(i, k));
        let row = |k: usize| (k + 1..blocks).filter(move |&j| full(k, j));
        let tasks: usize = (0..blocks)
            .map(|k| (column(k).count(), row(k).count()))
            .map(|(column, row)| 1 + column + row + column * row)
            .sum();
        let promises: Vec<Promise<()>> = (0..tasks).map(|_| Promise::new()).collect();
        // For each block the promise of the last task that writes it.
        let mut written: Vec<Option<&Promise<()>>> = vec![None; blocks * blocks];
        let mut unused = promises.iter();
        let mut replace = |at: (usize, usize)| {
            let new = unused.next().expect("there are enough");
            (written[at.0 * blocks + at.1].replace(new), new)
        };
        finish(|s| {
            for k in 0..blocks {
                let diagonal = block(k, k);
                let (before, factored) = replace((k, k));
                start(s, [before, None, None], factored, move || factor(diagonal, side));
                let mut right = Vec::new();
                for j in row(k) {
                    let (b, (before, done)) = (block(k, j), replace((k, j)));
                    let needed = [before, Some(factored), None];
                    start(s, needed, done, move || solve_right(diagonal, b, side));
                    right.push((j, b, done));
                }
                for i in column(k) {
                    let (l, (before, solved)) = (block(i, k), replace((i, k)));
                    let needed = [before, Some(factored), None];
                    start(s, needed, solved, move || solve_below(diagonal, l, side));
                    for &(j, u, above) in &right {
                        let (b, (before, done)) = (block(i, j), replace((i, j)));
                        // The bug: the block of U is not waited for.
                        let above = (!racy).then_some(above);
                        start(s, [before, Some(solved), above], done, move || {
                            update(l, u, b, side);
                        });
                    }
                }
            }
        });
    }
}

/// Starts a task that waits for some promises and sets one.
fn start<'scope>(
    s: &Finish<'scope>,
    needed: [Option<&'scope Promise<()>>; 3],
    done: &'scope Promise<()>,
    body: impl FnOnce() + Send + 'scope,
) {
    s.spawn(move |_| {
        for promise in needed.into_iter().flatten() {
            promise.get();
        }
        body();
        done.set(());
    });
}

/// Decomposes a block on the diagonal.
fn factor(d: Block, side: usize) {
    // SAFETY: the promises make it this task's own for now.
    let d = unsafe { d.as_mut_slice() };
    for k in 0..side {
        let (done, below) = d.split_at_mut((k + 1) * side);
        let pivot = &done[k * side..];
        for row in below.chunks_exact_mut(side) {
            row[k] /= pivot[k];
            for j in k + 1..side {
                row[j] -= row[k] * pivot[j];
            }
        }
    }
}

/// A block of U, to the right of a block on the diagonal.
fn solve_right(d: Block, b: Block, side: usize) {
    // SAFETY: `d` is not written any more, and nobody else writes `b` now. That some may read it is
    // the bug.
    let (d, b) = unsafe { (d.as_slice(), b.as_mut_slice()) };
    for k in 0..side {
        let (done, below) = b.split_at_mut((k + 1) * side);
        let pivot = &done[k * side..];
        for (i, row) in below.chunks_exact_mut(side).enumerate() {
            let factor = d[(k + 1 + i) * side + k];
            for j in 0..side {
                row[j] -= factor * pivot[j]; // race: see `update`
            }
        }
    }
}

/// A block of L, below a block on the diagonal.
fn solve_below(d: Block, b: Block, side: usize) {
    // SAFETY: `d` is not written any more, and `b` is this task's own for now.
    let (d, b) = unsafe { (d.as_slice(), b.as_mut_slice()) };
    for row in b.chunks_exact_mut(side) {
        for k in 0..side {
            row[k] /= d[k * side + k];
            for j in k + 1..side {
                row[j] -= row[k] * d[k * side + j];
            }
        }
    }
}

/// Subtracts the product of a block of L and one of U from a block.
fn update(l: Block, u: Block, b: Block, side: usize) {
    // SAFETY: `l` is not written any more, without the bug neither is `u`, and `b` is this task's own
    // for now.
    let (l, u, b) = unsafe { (l.as_slice(), u.as_slice(), b.as_mut_slice()) };
    for (b, l) in b.chunks_exact_mut(side).zip(l.chunks_exact(side)) {
        for (factor, u) in l.iter().zip(u.chunks_exact(side)) {
            for j in 0..side {
                b[j] -= factor * u[j]; // race: the block of U may not be solved yet
            }
        }
    }
}
