//! Additions by a compare-exchange loop. They happen to commute, and the checker cannot know what
//! the loop computes.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

fn main() {
    let sum = AtomicU32::new(0);
    (0..8_u32).into_par_iter().for_each(|item| {
        let add = |old: u32| Some(old + item);
        sum.fetch_update(Relaxed, Relaxed, add).expect("always adds"); //~ order 1
    });
    assert_eq!(sum.into_inner(), 28);
}
