//! Square matrices by tiles, in the order in which quartering visits them: the quarters of a matrix,
//! and theirs, are slices.

use crate::check::ensure;
use crate::random::Random;

/// Rows and columns of a tile. Tiles are stored by rows.
pub const SIDE: usize = 16;

/// The elements of a tile.
pub const TILE: usize = SIDE * SIDE;

/// Rows of a matrix.
pub fn rows(matrix: &[f64]) -> usize {
    matrix.len().isqrt()
}

/// Where an element is.
pub fn place(mut n: usize, mut i: usize, mut j: usize) -> usize {
    let mut start = 0;
    while n > SIDE {
        n /= 2;
        start += (i / n * 2 + j / n) * n * n;
        i %= n;
        j %= n;
    }
    start + i * SIDE + j
}

/// A matrix of numbers whose sums of products are exact.
pub fn coarse(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n * n).map(|_| random.coarse()).collect()
}

/// The four quarters: upper left, upper right, lower left, lower right.
pub fn quarters(matrix: &[f64]) -> [&[f64]; 4] {
    let quarter = matrix.len() / 4;
    [0, 1, 2, 3].map(|i| &matrix[i * quarter..(i + 1) * quarter])
}

/// The four quarters, to be written.
pub fn quarters_mut(matrix: &mut [f64]) -> [&mut [f64]; 4] {
    let (upper, lower) = matrix.split_at_mut(matrix.len() / 2);
    let (a, b) = upper.split_at_mut(upper.len() / 2);
    let (c, d) = lower.split_at_mut(lower.len() / 2);
    [a, b, c, d]
}

/// A matrix times a vector.
pub fn apply(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    apply_part(matrix, x, &mut y);
    y
}

fn apply_part(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    if matrix.len() == TILE {
        for (row, y) in matrix.chunks_exact(SIDE).zip(y) {
            *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        }
        return;
    }
    let (left, right) = x.split_at(x.len() / 2);
    let (upper, lower) = y.split_at_mut(y.len() / 2);
    let [a, b, c, d] = quarters(matrix);
    apply_part(a, left, upper);
    apply_part(b, right, upper);
    apply_part(c, left, lower);
    apply_part(d, right, lower);
}

/// Checks a product of matrices of coarse numbers with a vector: exactly.
pub fn ensure_product(a: &[f64], b: &[f64], c: &[f64]) -> Result<(), String> {
    let mut random = Random::new(99);
    let x: Vec<f64> = (0..rows(c)).map(|_| random.coarse()).collect();
    ensure(apply(c, &x) == apply(a, &apply(b, &x)), "the product is wrong")
}

/// Adds the product of two tiles to a third.
pub fn multiply_add_tile(c: &mut [f64], a: &[f64], b: &[f64]) {
    for (c, a) in c.chunks_exact_mut(SIDE).zip(a.chunks_exact(SIDE)) {
        for (a, b) in a.iter().zip(b.chunks_exact(SIDE)) {
            for j in 0..SIDE {
                c[j] += a * b[j]; // race: in racy variants, others use `c` at the same time
            }
        }
    }
}

/// Adds the product of two matrices to a third, without any tasks.
pub fn multiply_add_serially(c: &mut [f64], a: &[f64], b: &[f64]) {
    if c.len() == TILE {
        return multiply_add_tile(c, a, b);
    }
    let (a, b) = (quarters(a), quarters(b));
    for (at, c) in quarters_mut(c).into_iter().enumerate() {
        let (i, j) = (at / 2, at % 2);
        multiply_add_serially(c, a[2 * i], b[j]);
        multiply_add_serially(c, a[2 * i + 1], b[2 + j]);
    }
}
