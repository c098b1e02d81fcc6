//! Matrix product by divide and conquer. Matrices are stored quadrant by quadrant, down to blocks
//! that are stored by rows, so every quadrant is a slice.

use rayon::join;

use crate::random::Random;
use crate::size::Size;

/// Rows and columns of the smallest blocks.
const BLOCK: usize = 32;

/// Multiplies two matrices and checks the sum of the product's elements.
pub fn run(size: Size) -> u64 {
    let n: usize = size.pick(64, 1024);
    let mut random = Random::new(2);
    let a: Vec<f64> = (0..n * n).map(|_| random.coarse()).collect();
    let b: Vec<f64> = (0..n * n).map(|_| random.coarse()).collect();
    let mut c = vec![0.0; n * n];
    multiply(&a, &b, &mut c);

    let (mut columns, mut rows) = (vec![0.0; n], vec![0.0; n]);
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        let (row, column) = place(i, n);
        columns[column] += a;
        rows[row] += b;
    }
    let sum: f64 = c.iter().sum();
    assert_eq!(sum, columns.iter().zip(&rows).map(|(a, b)| a * b).sum());
    sum as u64
}

/// Adds the product of `a` and `b` to `c`.
fn multiply(a: &[f64], b: &[f64], c: &mut [f64]) {
    if c.len() == BLOCK * BLOCK {
        for (c_row, a_row) in c.chunks_mut(BLOCK).zip(a.chunks(BLOCK)) {
            for (factor, b_row) in a_row.iter().zip(b.chunks(BLOCK)) {
                for (c, b) in c_row.iter_mut().zip(b_row) {
                    *c += factor * b;
                }
            }
        }
        return;
    }
    let quarter = c.len() / 4;
    let quadrants =
        |matrix: &'_ [f64], i: usize| i * quarter..((i + 1) * quarter).min(matrix.len());
    let (a, b) = (|i| &a[quadrants(a, i)], |i| &b[quadrants(b, i)]);
    let (upper, lower) = c.split_at_mut(2 * quarter);
    let (c0, c1) = upper.split_at_mut(quarter);
    let (c2, c3) = lower.split_at_mut(quarter);
    // Two products go into each quadrant of the result, one after the other.
    for k in 0..2 {
        join(
            || join(|| multiply(a(k), b(2 * k), c0), || multiply(a(k), b(2 * k + 1), c1)),
            || join(|| multiply(a(2 + k), b(2 * k), c2), || multiply(a(2 + k), b(2 * k + 1), c3)),
        );
    }
}

/// The row and the column of the element at an index.
fn place(mut index: usize, n: usize) -> (usize, usize) {
    let (mut row, mut column, mut side) = (0, 0, n);
    while side > BLOCK {
        side /= 2;
        let quadrant = index / (side * side);
        row += quadrant / 2 * side;
        column += quadrant % 2 * side;
        index %= side * side;
    }
    (row + index / BLOCK, column + index % BLOCK)
}
