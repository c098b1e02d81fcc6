//! Ids from the result of `fetch_add`: which task gets which is up to the schedule. The sum alone would not be.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

fn main() {
    let next = AtomicU32::new(0);
    let ids: Vec<u32> = (0..8)
        .into_par_iter()
        .map(|_| next.fetch_add(1, Ordering::Relaxed)) //~ order 1
        .collect();
    black_box(ids);
    assert_eq!(next.into_inner(), 8);
}
