//! Isolated sections that do nothing but what commutes, or what concerns their own task alone: that
//! they exclude each other makes no difference.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser::{finish, isolated};
use shared::Shared;

fn main() {
    let (sum, count) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut own = [0_u64; 3];
    let place = Shared::slice(&mut own);
    finish(|s| {
        for task in 0..3 {
            let (sum, count) = (&sum, &count);
            s.spawn(move |_| {
                for turn in 1..5 {
                    isolated(|| {
                        sum.fetch_add(turn, Relaxed);
                        count.fetch_add(1, Relaxed);
                        // SAFETY: the element is this task's own.
                        unsafe { *place.at(task) += turn }
                    });
                }
            });
        }
    });
    assert_eq!((sum.into_inner(), count.into_inner(), own), (30, 12, [10; 3]));
}
