//! A parallel load does not commute with `fetch_max`.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

fn main() {
    let greatest = AtomicU32::new(0);
    rayon::join(
        || greatest.fetch_max(1, Ordering::Relaxed), //~ order 1
        || black_box(greatest.load(Ordering::Relaxed)), //~ order 1
    );
    assert_eq!(greatest.into_inner(), 1);
}
