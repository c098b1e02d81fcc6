//! Matrix multiplication with the innermost, summing loop made parallel: all its tasks add to
//! the same element.

use rayon::prelude::*;
use shared::Shared;

const N: usize = 4;

fn main() {
    let a = [[2_u32; N]; N];
    let b = [[3_u32; N]; N];
    let mut product = vec![0_u32; N * N];
    let element = Shared::slice(&mut product);
    (0..N * N).into_par_iter().for_each(|index| {
        let (row, column) = (index / N, index % N);
        (0..N).into_par_iter().for_each(|k| {
            // SAFETY: the index is in bounds; the conflict is what is tested.
            unsafe { *element.at(index) += a[row][k] * b[k][column] } //~ race 1
        });
    });
    assert!(product.iter().all(|&element| element <= 24));
}
