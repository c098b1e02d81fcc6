//! Slots of an array that are given out by a counter: every slot is written once, but the schedule decides what is in it.
//! The function that gives them out is not inlined, so what uses the old value is its caller.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

struct Slots {
    used: AtomicUsize,
    values: [AtomicU32; 4],
}

impl Slots {
    #[inline(never)]
    fn take(&self) -> usize {
        self.used.fetch_add(1, Ordering::Relaxed) //~ order 1
    }
}

fn main() {
    let slots = Slots { used: AtomicUsize::new(0), values: Default::default() };
    let put = |value| slots.values[slots.take()].store(value, Ordering::Relaxed);
    rayon::join(|| put(3), || put(5));
    assert_eq!(slots.used.into_inner(), 2);
}
