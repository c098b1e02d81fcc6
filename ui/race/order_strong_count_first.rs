//! `Arc::strong_count` before a parallel drop in serial order: as order-dependent as after it.

use std::hint::black_box;
use std::sync::Arc;

fn main() {
    let value = Arc::new(7_u32);
    let clone = Arc::clone(&value);
    rayon::join(
        || {
            black_box(Arc::strong_count(&value)); //~ order 1
        },
        move || {
            drop(clone); //~ order 1
            black_box(());
        },
    );
    assert_eq!(Arc::strong_count(&value), 1);
}
