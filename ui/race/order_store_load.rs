//! A `Relaxed` store and a parallel `Relaxed` load: no data race, and no determinism.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    let value = AtomicU64::new(0);
    rayon::scope(|scope| {
        scope.spawn(|_| {
            black_box(value.load(Ordering::Relaxed)); //~ order 1
        });
        scope.spawn(|_| value.store(1, Ordering::Relaxed)); //~ order 1
    });
    assert_eq!(value.into_inner(), 1);
}
