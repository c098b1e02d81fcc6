//! LU decomposition without pivoting, by quartering.

use rayon::join;

use crate::check::{Outcome, digest_floats, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;
use crate::tiled::{self, SIDE, TILE, place, quarters, quarters_mut};

/// Decomposes a matrix and checks the factors with a vector.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = SIDE << size.pick(2, 7, 5);
    let mut matrix = tiled::coarse(n, &mut Random::new(2));
    for i in 0..n {
        // A heavy diagonal needs no pivoting.
        matrix[place(n, i, i)] += n as f64;
    }
    let ones = vec![1.0; n];
    let sums = tiled::apply(&matrix, &ones);
    decompose(&mut matrix, racy);

    // L (U 1) must be the sums of the rows.
    let element = |i, j| matrix[place(n, i, j)];
    let upper: Vec<f64> = (0..n).map(|i| (i..n).map(|j| element(i, j)).sum()).collect();
    for (i, sum) in sums.iter().enumerate() {
        let below: f64 = (0..i).map(|j| element(i, j) * upper[j]).sum();
        ensure((below + upper[i] - sum).abs() < 1e-9 * n as f64, "the factors are wrong")?;
    }
    Ok(digest_floats(&matrix))
}

fn decompose(matrix: &mut [f64], racy: bool) {
    if matrix.len() == TILE {
        return decompose_tile(matrix);
    }
    let [a, b, c, d] = quarters_mut(matrix);
    decompose(a, racy);
    let a = &*a;
    if racy {
        let early = Shared::slice(c);
        join(
            || solve_upper(c, a),
            || {
                solve_lower(b, a);
                // SAFETY: there is none. It is being written.
                multiply_subtract(d, unsafe { early.as_slice() }, b);
            },
        );
    } else {
        join(|| solve_lower(b, a), || solve_upper(c, a));
        multiply_subtract(d, c, b);
    }
    decompose(d, racy);
}

/// Solves L X = M in place: a part of U.
fn solve_lower(m: &mut [f64], l: &[f64]) {
    if m.len() == TILE {
        return solve_lower_tile(m, l);
    }
    let [m0, m1, m2, m3] = quarters_mut(m);
    let column = |upper: &mut [f64], lower: &mut [f64]| {
        let [l0, _, l2, l3] = quarters(l);
        solve_lower(upper, l0);
        multiply_subtract(lower, l2, upper);
        solve_lower(lower, l3);
    };
    join(|| column(m0, m2), || column(m1, m3));
}

/// Solves X U = M in place: a part of L.
fn solve_upper(m: &mut [f64], u: &[f64]) {
    if m.len() == TILE {
        return solve_upper_tile(m, u);
    }
    let [m0, m1, m2, m3] = quarters_mut(m);
    let row = |left: &mut [f64], right: &mut [f64]| {
        let [u0, u1, _, u3] = quarters(u);
        solve_upper(left, u0);
        multiply_subtract(right, left, u1);
        solve_upper(right, u3);
    };
    join(|| row(m0, m1), || row(m2, m3));
}

/// Subtracts the product of `a` and `b` from `c`.
fn multiply_subtract(c: &mut [f64], a: &[f64], b: &[f64]) {
    if c.len() == TILE {
        return multiply_subtract_tile(c, a, b);
    }
    let (a, b) = (quarters(a), quarters(b));
    for half in 0..2 {
        let [c0, c1, c2, c3] = quarters_mut(c);
        let (upper, lower) = (a[half], a[2 + half]);
        let (left, right) = (b[2 * half], b[2 * half + 1]);
        join(
            || join(|| multiply_subtract(c0, upper, left), || multiply_subtract(c1, upper, right)),
            || join(|| multiply_subtract(c2, lower, left), || multiply_subtract(c3, lower, right)),
        );
    }
}

fn decompose_tile(tile: &mut [f64]) {
    for k in 0..SIDE {
        let (done, below) = tile.split_at_mut((k + 1) * SIDE);
        let pivot = &done[k * SIDE..];
        for row in below.chunks_exact_mut(SIDE) {
            row[k] /= pivot[k];
            for j in k + 1..SIDE {
                row[j] -= row[k] * pivot[j];
            }
        }
    }
}

fn solve_lower_tile(m: &mut [f64], l: &[f64]) {
    for k in 0..SIDE {
        let (done, below) = m.split_at_mut((k + 1) * SIDE);
        let pivot = &done[k * SIDE..];
        for (row, l) in below.chunks_exact_mut(SIDE).zip(l[(k + 1) * SIDE..].chunks_exact(SIDE)) {
            for j in 0..SIDE {
                row[j] -= l[k] * pivot[j];
            }
        }
    }
}

fn solve_upper_tile(m: &mut [f64], u: &[f64]) {
    for row in m.chunks_exact_mut(SIDE) {
        for (k, u) in u.chunks_exact(SIDE).enumerate() {
            row[k] /= u[k]; // race: see `multiply_subtract_tile`
            for j in k + 1..SIDE {
                row[j] -= row[k] * u[j]; // race: see `multiply_subtract_tile`
            }
        }
    }
}

fn multiply_subtract_tile(c: &mut [f64], a: &[f64], b: &[f64]) {
    for (c, a) in c.chunks_exact_mut(SIDE).zip(a.chunks_exact(SIDE)) {
        for (k, b) in b.chunks_exact(SIDE).enumerate() {
            let factor = a[k]; // race: the part of L may not be solved yet
            for j in 0..SIDE {
                c[j] -= factor * b[j]; // race: where `c` is a part of L, this is how it is solved
            }
        }
    }
}
