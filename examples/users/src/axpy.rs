//! `y += a * x` over `f32`: the first thing that people try.

use rayon::prelude::*;

use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Adds many times, and checks with a multiplication.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((20_000, 3), (4_000_000, 40));
    let x: Vec<f32> = (0..n).map(|i| (i % 128) as f32).collect();
    let mut y = vec![1.0_f32; n];
    for _ in 0..rounds {
        y.par_iter_mut().zip(&x).for_each(|(y, x)| *y += 0.5 * x);
    }
    assert!(x.iter().zip(&y).all(|(x, y)| *y == 1.0 + 0.5 * rounds as f32 * x));
    y.iter().map(|&y| y as u64).sum()
}

/// The mistake: half of each number goes to the next element, which is another item's.
pub fn racy(size: Size) -> u64 {
    let n = size.pick(20_000, 4_000_000);
    let x: Vec<f32> = (0..n).map(|i| (i % 128) as f32).collect();
    let mut y = vec![1.0_f32; n + 1];
    let out = UnsafeSlice::new(&mut y);
    x.par_iter().enumerate().for_each(|(i, x)| {
        // SAFETY: none, that is the mistake.
        unsafe {
            *out.get(i) += 0.25 * x; // race: the item before adds to it, too
            *out.get(i + 1) += 0.25 * x; // race: that is the next item's
        }
    });
    y.iter().map(|&y| y as u64).sum()
}
