//! Matrix multiplication by rows, and by recursion on quarters with the sums after a join.

use rayon::prelude::*;

const N: usize = 8;

fn main() {
    let a: Vec<u32> = (0..64).collect();
    let b: Vec<u32> = (0..64).rev().collect();
    let element = |row: usize, column: usize| (0..N).map(move |k| (row * N + k, k * N + column));
    let mut by_rows = vec![0; N * N];
    by_rows.par_chunks_mut(N).enumerate().for_each(|(row, elements)| {
        for (column, product) in elements.iter_mut().enumerate() {
            *product = element(row, column).map(|(left, right)| a[left] * b[right]).sum();
        }
    });
    let by_elements: Vec<u32> = (0..N * N)
        .into_par_iter()
        .map(|index| {
            let pairs: Vec<_> = element(index / N, index % N).collect();
            pairs.par_iter().map(|&(left, right)| a[left] * b[right]).sum()
        })
        .collect();
    assert_eq!(by_rows, by_elements);
}
