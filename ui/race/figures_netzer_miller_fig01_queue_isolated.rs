//! Netzer and Miller 1991, Figure 1 repaired: each remove is isolated, and the regions are disjoint
//! in every schedule. Which child gets which record still depends on the schedule.

use std::ptr;

use rosser::{finish, isolated};
use shared::Shared;

fn main() {
    let low = [1_usize, 2, 0, 3];
    let (mut number, mut regions) = (0_usize, [0_u64; 4]);
    let (head, work) = (Shared::new(&mut number), Shared::slice(&mut regions));
    finish(|s| {
        for _ in 0..2 {
            s.spawn(|_| {
                for _ in 0..2 {
                    let record = isolated(|| {
                        // SAFETY: `number` outlives the finish and is touched in isolation only.
                        unsafe { ptr::replace(head.get(), *head.get() + 1) } //~ order 1
                    });
                    // SAFETY: nobody else has got the record.
                    unsafe { *work.at(low[record]) += 1 }
                }
            });
        }
    });
    assert_eq!(regions, [1; 4]);
}
