//! A `fetch_add` commutes with another, and not with a load: what is loaded depends on the
//! schedule.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

fn main() {
    let counter = AtomicU32::new(0);
    rayon::join(
        || counter.fetch_add(1, Ordering::Relaxed),    //~ order 1
        || black_box(counter.load(Ordering::Relaxed)), //~ order 1
    );
    assert_eq!(counter.into_inner(), 1);
}
