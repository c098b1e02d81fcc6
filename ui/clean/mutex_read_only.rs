//! Parallel tasks take a lock and only read what it protects. The lock's own words change, and
//! they are nobody's business.

use std::sync::Mutex;

use rayon::prelude::*;

fn main() {
    let table = Mutex::new([1_u32, 2, 3, 4]);
    let read = |index: usize| table.lock().expect("nobody panics")[index % 4];
    assert_eq!((0..16_usize).into_par_iter().map(read).sum::<u32>(), 40);
    let table = parking_lot::Mutex::new([1_u32, 2, 3, 4]);
    let read = |index: usize| table.lock()[index % 4];
    assert_eq!((0..16_usize).into_par_iter().map(read).sum::<u32>(), 40);
}
