//! Whether `Arc::try_unwrap` succeeds depends on whether a parallel task still has its clone, and
//! so does whether `Arc::get_mut` gives anything.

use std::hint::black_box;
use std::sync::Arc;

fn main() {
    let first = Arc::new(7_u32);
    let second = Arc::clone(&first);
    let ((), unwrapped) = rayon::join(
        move || {
            drop(first); //~ order 1
            black_box(());
        },
        move || {
            let unwrapped = Arc::try_unwrap(second); //~ order 1
            black_box(unwrapped.is_ok())
        },
    );
    assert!(unwrapped);

    let first = Arc::new(7_u32);
    let mut second = Arc::clone(&first);
    rayon::join(
        move || {
            drop(first); //~ order 2
            black_box(());
        },
        move || {
            let alone = Arc::get_mut(&mut second).is_some(); //~ order 2
            black_box(alone);
        },
    );
}
