//! Strassen's multiplication of matrices of `f32`: sums element by element, products by `join`.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// The elements row by row.
type Matrix = Vec<f32>;

/// Multiplies, and checks some elements.
pub fn run(size: Size) -> u64 {
    let (n, least) = size.pick((64, 16), (768, 48));
    let (a, b) = (matrix(n, 15), matrix(n, 16));
    let product = multiply(&a, &b, n, least);
    for i in (0..n * n).step_by(n + 3) {
        let (row, column) = (i / n, i % n);
        let element: f32 = (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum();
        assert_eq!(product[i], element);
    }
    product.iter().map(|&element| element.abs() as u64).sum()
}

/// Small whole numbers: all sums are exact.
fn matrix(n: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    (0..n * n).map(|_| random.below(5) as f32 - 2.0).collect()
}

fn add(a: &[f32], b: &[f32]) -> Matrix {
    a.par_iter().zip(b).map(|(a, b)| a + b).collect()
}

fn subtract(a: &[f32], b: &[f32]) -> Matrix {
    a.par_iter().zip(b).map(|(a, b)| a - b).collect()
}

fn multiply(a: &[f32], b: &[f32], n: usize, least: usize) -> Matrix {
    if n <= least {
        return multiply_rows(a, b, n);
    }
    let half = n / 2;
    let [a11, a12, a21, a22] = quarters(a, n);
    let [b11, b12, b21, b22] = quarters(b, n);
    let product = |a: &[f32], b: &[f32]| multiply(a, b, half, least);
    let ((m1, (m2, m3)), ((m4, m5), (m6, m7))) = rayon::join(
        || {
            rayon::join(
                || product(&add(&a11, &a22), &add(&b11, &b22)),
                || {
                    rayon::join(
                        || product(&add(&a21, &a22), &b11),
                        || product(&a11, &subtract(&b12, &b22)),
                    )
                },
            )
        },
        || {
            rayon::join(
                || {
                    rayon::join(
                        || product(&a22, &subtract(&b21, &b11)),
                        || product(&add(&a11, &a12), &b22),
                    )
                },
                || {
                    rayon::join(
                        || product(&subtract(&a21, &a11), &add(&b11, &b12)),
                        || product(&subtract(&a12, &a22), &add(&b21, &b22)),
                    )
                },
            )
        },
    );
    let c11 = add(&subtract(&add(&m1, &m4), &m5), &m7);
    let c12 = add(&m3, &m5);
    let c21 = add(&m2, &m4);
    let c22 = add(&add(&subtract(&m1, &m2), &m3), &m6);
    let top = c11.par_chunks(half).zip(c12.par_chunks(half));
    let bottom = c21.par_chunks(half).zip(c22.par_chunks(half));
    top.chain(bottom).flat_map_iter(|(left, right)| left.iter().chain(right).copied()).collect()
}

/// Small matrices, as everybody learns it.
fn multiply_rows(a: &[f32], b: &[f32], n: usize) -> Matrix {
    let mut product = vec![0.0; n * n];
    for (row, a) in product.chunks_mut(n).zip(a.chunks(n)) {
        for (a, b) in a.iter().zip(b.chunks(n)) {
            for (element, b) in row.iter_mut().zip(b) {
                *element += a * b;
            }
        }
    }
    product
}

fn quarters(matrix: &[f32], n: usize) -> [Matrix; 4] {
    let half = n / 2;
    [(0, 0), (0, half), (half, 0), (half, half)].map(|(row, column)| {
        let rows = matrix.chunks(n).skip(row).take(half);
        rows.flat_map(|row| &row[column..column + half]).copied().collect()
    })
}
