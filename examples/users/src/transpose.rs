//! Transposes a matrix of `f32`, one item for each element.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Twice, which changes nothing.
pub fn run(size: Size) -> u64 {
    let ((rows, columns), rounds) = size.pick(((90, 80), 1), ((600, 700), 30));
    let mut random = Random::new(19);
    let matrix: Vec<f32> = (0..rows * columns).map(|_| random.coarse() as f32).collect();
    let mut copy = matrix.clone();
    for _ in 0..rounds {
        let turned = transpose(&copy, columns);
        assert_eq!(turned[1], copy[columns]);
        copy = transpose(&turned, rows);
    }
    assert_eq!(copy, matrix);
    copy.iter().map(|&element| (64.0 * element) as u64).sum()
}

fn transpose(matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns;
    let mut turned = vec![0.0; matrix.len()];
    turned
        .par_iter_mut()
        .enumerate()
        .for_each(|(i, element)| *element = matrix[i % rows * columns + i / rows]);
    turned
}

/// The mistake: it swaps in place, and each pair twice.
pub fn racy(size: Size) -> u64 {
    let n = size.pick(60, 600);
    let mut matrix: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
    let shared = UnsafeSlice::new(&mut matrix);
    (0..n * n).into_par_iter().for_each(|i| {
        let (row, column) = (i / n, i % n);
        if row != column {
            let (one, other) = (shared.get(row * n + column), shared.get(column * n + row));
            // SAFETY: none, that is the mistake.
            unsafe { std::ptr::swap(one, other) } // race: the other item of the pair swaps as well
        }
    });
    matrix.len() as u64
}
