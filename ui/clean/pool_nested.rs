//! Pools installed inside each other's tasks, with disjoint work.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two")
}

fn main() {
    let (outer, inner) = (pool(), pool());
    let sums: Vec<u32> = outer.install(|| {
        (0..4_u32)
            .into_par_iter()
            .map(|row| inner.install(|| (0..4).into_par_iter().map(|column| row * column).sum()))
            .collect()
    });
    assert_eq!(sums, [0, 6, 12, 18]);
}
