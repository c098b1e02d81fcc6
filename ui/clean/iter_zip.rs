//! `zip` of iterators of several kinds, some of them mutable, and `multizip` of three.

use rayon::prelude::*;

fn main() {
    let mut sums = vec![0_u32; 12];
    let (left, right) = (vec![1_u32; 12], [2_u32; 12]);
    sums.par_iter_mut()
        .zip(left.par_iter().zip(&right))
        .for_each(|(sum, (left, right))| *sum = left + right);
    sums.par_iter_mut().zip_eq(0..12_u32).for_each(|(sum, index)| *sum += index);
    (&mut sums, &left, &right).into_par_iter().for_each(|(sum, left, right)| *sum -= left + right);
    assert!(sums.into_iter().eq(0..12));
}
