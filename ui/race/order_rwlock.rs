//! A reader and a writer of a `RwLock` in parallel: what is read depends on who comes first.

use std::hint::black_box;
use std::sync::RwLock;

fn main() {
    let value = RwLock::new(1_u64);
    rayon::join(
        || black_box(*value.read().expect("nobody panics")), //~ order 1
        || {
            *value.write().expect("nobody panics") = 2; //~ order 1
        },
    );
    assert_eq!(value.into_inner().expect("nobody panicked"), 2);
}
