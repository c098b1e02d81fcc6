//! A vector behind a lock, pushed to by parallel tasks: no data race, and the order of its
//! elements is the order in which the tasks get the lock.
//@ whole

use std::sync::Mutex;

use rayon::prelude::*;

fn main() {
    let items = Mutex::new(Vec::new());
    (0..16_u32).into_par_iter().for_each(|item| {
        items.lock().expect("nobody panics").push(item); //~ order 1
    });
    let mut items = items.into_inner().expect("nobody panicked");
    items.sort_unstable();
    assert!(items.into_iter().eq(0..16));
}
