//! All shortest paths (Floyd and Warshall): for each vertex in between, the rows in parallel.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;

use crate::random::Random;
use crate::size::Size;

/// Finds all distances and checks the triangle inequality.
pub fn run(size: Size) -> u64 {
    let n = size.pick(20, 800);
    let mut random = Random::new(13);
    let mut distances: Vec<u32> = (0..n * n).map(|_| 1 + random.below(1000) as u32).collect();
    for i in 0..n {
        distances[i * n + i] = 0;
    }
    let direct = distances.clone();
    for k in 0..n {
        let via: Vec<u32> = distances[k * n..(k + 1) * n].to_vec();
        distances.par_chunks_mut(n).for_each(|row| {
            let to_k = row[k];
            for (distance, &from_k) in row.iter_mut().zip(&via) {
                *distance = (*distance).min(to_k + from_k);
            }
        });
    }

    assert!(distances.iter().zip(&direct).all(|(found, direct)| found <= direct));
    for k in [0, n / 2, n - 1] {
        let detour = |at: usize| distances[at / n * n + k] + distances[k * n + at % n];
        assert!((0..n * n).all(|at| distances[at] <= detour(at)));
    }
    distances.iter().map(|&distance| u64::from(distance)).sum()
}
