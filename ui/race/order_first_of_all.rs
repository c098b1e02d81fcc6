//! Whoever sets a bit first does what has to be done, and the last one to count down says so: `fetch_or`, `fetch_sub`
//! and `fetch_max` with results that are used.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

fn main() {
    let (seen, left, greatest) = (AtomicU8::new(0), AtomicU32::new(2), AtomicU32::new(0));
    let first = [AtomicU32::new(0), AtomicU32::new(0)];
    let task = |index: usize| {
        if seen.fetch_or(4, Ordering::Relaxed) & 4 == 0 { //~ order 1
            first[index].fetch_add(1, Ordering::Relaxed);
        }
        if left.fetch_sub(1, Ordering::AcqRel) == 1 { //~ order 2
            first[index].fetch_add(10, Ordering::Relaxed);
        }
        if greatest.fetch_max(7, Ordering::Relaxed) < 7 { //~ order 3
            first[index].fetch_add(100, Ordering::Relaxed);
        }
    };
    rayon::join(|| task(0), || task(1));
    let [one, other] = first.map(AtomicU32::into_inner);
    assert_eq!(one + other, 111);
}
