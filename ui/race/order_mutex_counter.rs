//! A counter behind a lock. Additions commute, but the checker sees a read and a write under a
//! lock and cannot know: order-dependent, where `fetch_add` would be clean.

use std::sync::Mutex;

use rayon::prelude::*;

fn main() {
    let counter = Mutex::new(0_u32);
    (0..16_u32).into_par_iter().for_each(|item| {
        let mut counter = counter.lock().expect("nobody panics");
        *counter += item; //~ order 1
    });
    assert_eq!(counter.into_inner().expect("nobody panicked"), 120);
}
