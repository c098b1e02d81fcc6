//! `swap` returns what was there before: whose value that is depends on the schedule.

use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

fn main() {
    let last = AtomicU16::new(0);
    let earlier: u16 = (1..=8_u16)
        .into_par_iter()
        .map(|item| {
            last.swap(item, Ordering::AcqRel) //~ order 1
        })
        .sum();
    assert_eq!(earlier + last.into_inner(), 36);
}
