//! Buffers picked by `current_thread_index`: two tasks on one worker never overlap, and which
//! tasks share a buffer depends on the schedule.

use std::cell::UnsafeCell;

use rayon::prelude::*;

struct Slot(UnsafeCell<u32>);

// SAFETY: each worker touches its own slot only.
unsafe impl Sync for Slot {}

fn main() {
    let slots: Vec<Slot> =
        (0..rayon::current_num_threads()).map(|_| Slot(UnsafeCell::new(0))).collect();
    (0..16_u32).into_par_iter().for_each(|item| {
        let slot = &slots[rayon::current_thread_index().expect("tasks run on workers")];
        // SAFETY: this worker is the only one that picks this slot.
        unsafe { *slot.0.get() += item } //~ order 1
    });
    assert_eq!(slots.into_iter().map(|slot| slot.0.into_inner()).sum::<u32>(), 120);
}
