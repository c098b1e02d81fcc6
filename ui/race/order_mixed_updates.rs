//! `fetch_or` commutes with itself and `fetch_and` with itself, but not one with the other.

use std::sync::atomic::{AtomicU32, Ordering};

fn main() {
    let bits = AtomicU32::new(0b01);
    rayon::join(
        || bits.fetch_or(0b11, Ordering::Relaxed),  //~ order 1
        || bits.fetch_and(0b01, Ordering::Relaxed), //~ order 1
    );
    assert!([0b01, 0b11].contains(&bits.into_inner()));
}
