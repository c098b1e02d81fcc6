//! Stores and loads of atomics that no two tasks share, and loads of one that all share.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

fn main() {
    let common = AtomicU32::new(3);
    let slots: Vec<AtomicU32> = (0..16).map(AtomicU32::new).collect();
    slots.par_iter().for_each(|slot| {
        let old = slot.load(Ordering::Acquire);
        slot.store(old + common.load(Ordering::Relaxed), Ordering::Release);
        slot.swap(old, Ordering::AcqRel);
        slot.compare_exchange(old, old + 1, Ordering::SeqCst, Ordering::Relaxed)
            .expect("nobody else is here");
    });
    common.store(0, Ordering::Relaxed);
    assert_eq!(slots.into_iter().map(AtomicU32::into_inner).sum::<u32>(), 136);
}
