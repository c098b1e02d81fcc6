//! As many locks as tasks: every task locks and changes its own.

use std::sync::Mutex;

use rayon::prelude::*;

fn main() {
    let slots: Vec<Mutex<Vec<usize>>> = (0..8).map(|_| Mutex::default()).collect();
    (0..8_usize).into_par_iter().for_each(|index| {
        slots[index].lock().expect("nobody panics").push(index);
    });
    let slots = slots.into_iter().map(|slot| slot.into_inner().expect("nobody panicked"));
    assert!(slots.flatten().eq(0..8));
}
