//! Readers only, of std's `RwLock` and of `parking_lot`'s; the caller writes before and after.

use std::sync::RwLock;

use rayon::prelude::*;

fn main() {
    let table = RwLock::new(vec![1_u32, 2, 3, 4]);
    table.write().expect("nobody panics").push(5);
    let read = |index: usize| table.read().expect("nobody panics")[index % 5];
    assert_eq!((0..20_usize).into_par_iter().map(read).sum::<u32>(), 60);
    table.write().expect("nobody panics").push(6);

    let table = parking_lot::RwLock::new(vec![1_u32, 2, 3, 4]);
    let read = |index: usize| table.read()[index % 4];
    assert_eq!((0..16_usize).into_par_iter().map(read).sum::<u32>(), 40);
    table.write().push(5);
}
