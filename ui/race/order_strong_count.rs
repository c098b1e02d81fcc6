//! `Arc::strong_count` beside a parallel clone: the count depends on the schedule.

use std::hint::black_box;
use std::sync::Arc;

fn main() {
    let value = Arc::new(7_u32);
    let (kept, ()) = rayon::join(
        || Arc::clone(&value), //~ order 1
        || {
            black_box(Arc::strong_count(&value)); //~ order 1
        },
    );
    assert_eq!(*kept, 7);
    assert_eq!(Arc::strong_count(&value), 2);
}
