//! Somebody who sees the old value can tell whether a parallel addition came before, even if that one looks at nothing.

use std::hint::black_box;
use std::sync::atomic::{AtomicI64, Ordering};

fn main() {
    let total = AtomicI64::new(0);
    rayon::join(
        || {
            total.fetch_add(1, Ordering::Relaxed); //~ order 1
        },
        || {
            black_box(total.fetch_add(2, Ordering::Relaxed)); //~ order 1
        },
    );
    assert_eq!(total.into_inner(), 3);
}
