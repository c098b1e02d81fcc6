//! The other updates that commute with themselves: or, and, exclusive or, maximum and minimum.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rayon::prelude::*;

fn main() {
    let (or, and, xor) = (AtomicU32::new(0), AtomicU32::new(u32::MAX), AtomicU32::new(0));
    let (max, min) = (AtomicU32::new(0), AtomicU32::new(u32::MAX));
    let any = AtomicBool::new(false);
    (0..16_u32).into_par_iter().for_each(|item| {
        or.fetch_or(1 << item, Ordering::Relaxed);
        and.fetch_and(!(1 << item), Ordering::Relaxed);
        xor.fetch_xor(item, Ordering::Relaxed);
        max.fetch_max(item, Ordering::Relaxed);
        min.fetch_min(item, Ordering::Relaxed);
        any.fetch_or(item == 7, Ordering::Relaxed);
    });
    assert_eq!((or.into_inner(), and.into_inner()), (0xffff, 0xffff_0000));
    assert_eq!((xor.into_inner(), max.into_inner(), min.into_inner()), (0, 15, 0));
    assert!(any.into_inner());
}
