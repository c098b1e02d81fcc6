//! Dot products of many pairs of vectors.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// How similar a vector is to each of several others; nothing is as similar as itself.
pub fn run(size: Size) -> u64 {
    let (n, vectors, rounds) = size.pick((10_000, 3, 1), (1_000_000, 8, 12));
    let mut random = Random::new(13);
    let vectors: Vec<Vec<f64>> =
        (0..vectors).map(|_| (0..n).map(|_| random.coarse()).collect()).collect();
    let mut best = 0.0;
    for _ in 0..rounds {
        let similar: Vec<f64> = vectors.iter().map(|other| dot(&vectors[0], other)).collect();
        best = similar[0];
        assert!(similar[1..].iter().all(|&other| other < best));
    }
    best as u64
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.par_iter().zip(b).map(|(a, b)| a * b).sum()
}
