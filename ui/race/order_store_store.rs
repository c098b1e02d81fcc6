//! Two stores of different values into one atomic: the last wins.

use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

fn main() {
    let last = AtomicU8::new(0);
    (1..=8_u8).into_par_iter().for_each(|item| {
        last.store(item, Ordering::SeqCst); //~ order 1
    });
    assert!((1..=8).contains(&last.into_inner()));
}
