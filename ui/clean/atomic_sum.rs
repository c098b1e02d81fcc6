//! Parallel `fetch_add` and `fetch_sub` commute, in every order and width.

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU16, AtomicUsize, Ordering};

use rayon::prelude::*;

fn main() {
    let (wide, half, byte, size) =
        (AtomicI64::new(0), AtomicU16::new(0), AtomicU8::new(0), AtomicUsize::new(100));
    (0..16_u8).into_par_iter().for_each(|item| {
        wide.fetch_add(i64::from(item), Ordering::Relaxed);
        wide.fetch_sub(1, Ordering::SeqCst);
        half.fetch_add(1, Ordering::AcqRel);
        byte.fetch_add(item, Ordering::Release);
        size.fetch_sub(1, Ordering::Acquire);
    });
    assert_eq!(wide.into_inner(), 104);
    assert_eq!(half.into_inner(), 16);
    assert_eq!(byte.into_inner(), 120);
    assert_eq!(size.into_inner(), 84);
}
