//! Known miss: the compiler's pass has no callback for `fetch_max` and `fetch_min`, so a parallel
//! load, which does not commute with them, goes unseen.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

fn main() {
    let greatest = AtomicU32::new(0);
    rayon::join(
        || greatest.fetch_max(1, Ordering::Relaxed),
        || black_box(greatest.load(Ordering::Relaxed)),
    );
    assert_eq!(greatest.into_inner(), 1);
}
