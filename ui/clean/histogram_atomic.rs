//! A histogram with atomic bins: additions commute.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

fn main() {
    let bins: [AtomicU32; 4] = Default::default();
    (0..64_usize).into_par_iter().for_each(|item| {
        bins[item % 4].fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(bins.map(AtomicU32::into_inner), [16; 4]);
}
