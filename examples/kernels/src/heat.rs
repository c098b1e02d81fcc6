//! Heat in a plate, by the five-point stencil: the rows of each time step in parallel.

use std::mem::swap;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::size::Size;

/// Warms a plate from its upper edge and checks that it never gets warmer than that.
pub fn run(size: Size) -> u64 {
    let (n, steps) = size.pick((16, 8), (512, 600));
    let mut old = vec![0.0_f64; n * n];
    old[..n].fill(1000.0);
    let mut new = old.clone();
    for _ in 0..steps {
        step(&old, &mut new, n);
        swap(&mut old, &mut new);
    }

    assert!(old.iter().all(|warmth| (0.0..=1000.0).contains(warmth)));
    assert!((0..n / 2).all(|i| old[2 * n + i] == old[3 * n - 1 - i]), "left and right are alike");
    old.iter().sum::<f64>() as u64
}

fn step(old: &[f64], new: &mut [f64], n: usize) {
    new.par_chunks_mut(n).enumerate().skip(1).take(n - 2).for_each(|(i, row)| {
        let (above, here) = (&old[(i - 1) * n..i * n], &old[i * n..(i + 1) * n]);
        let below = &old[(i + 1) * n..(i + 2) * n];
        for j in 1..n - 1 {
            // Left and right are added first: then a mirrored plate is the same to the last bit.
            let beside = here[j - 1] + here[j + 1];
            row[j] = here[j] + 0.2 * (beside + above[j] + below[j] - 4.0 * here[j]);
        }
    });
}
