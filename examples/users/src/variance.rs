//! Mean, variance and extremes of measurements.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Several series. The values are uniform, so both figures are known.
pub fn run(size: Size) -> u64 {
    let rounds = size.pick(1, 15);
    let values = values(size);
    let n = values.len() as f64;
    let mut sum = 0.0;
    for _ in 0..rounds {
        let mean = values.par_iter().sum::<f64>() / n;
        let variance = values.par_iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        let least = values.par_iter().copied().reduce(|| f64::MAX, f64::min);
        assert!((mean - 0.492).abs() < 0.02, "{mean}");
        assert!((variance - 0.0833).abs() < 0.01, "{variance}");
        assert!(least < mean);
        sum += mean;
    }
    (sum * 1_000.0) as u64
}

/// The mistake: the sum is a variable that all items add to.
pub fn racy(size: Size) -> u64 {
    let values = values(size);
    let mut sum = 0.0;
    let shared = UnsafeSlice::new(std::slice::from_mut(&mut sum));
    values.par_iter().for_each(|value| {
        // SAFETY: none, that is the mistake.
        unsafe { *shared.get(0) += value } // race: all items add to it
    });
    sum as u64
}

fn values(size: Size) -> Vec<f64> {
    let mut random = Random::new(11);
    (0..size.pick(20_000, 2_000_000)).map(|_| random.coarse()).collect()
}
