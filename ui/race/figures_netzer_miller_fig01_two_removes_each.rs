//! Netzer and Miller 1991, Figure 1 with two removes for each child. The removes race. In the
//! checked run the four regions are disjoint, so the work does not: fixing what is reported fixes
//! the rest.

use std::ptr;

use rosser::finish;
use shared::Shared;

fn main() {
    let low = [1_usize, 2, 0, 3];
    let (mut number, mut regions) = (0_usize, [0_u64; 4]);
    let (head, work) = (Shared::new(&mut number), Shared::slice(&mut regions));
    finish(|s| {
        for _ in 0..2 {
            s.spawn(|_| {
                for _ in 0..2 {
                    // SAFETY: `number` outlives the finish; the conflict is what is tested.
                    let record = unsafe { ptr::replace(head.get(), *head.get() + 1) }; //~ race 1
                    // SAFETY: there are four removes at most, so the index is in bounds.
                    unsafe { *work.at(low[record]) = 1 }
                }
            });
        }
    });
    assert!((1..=4).contains(&regions.iter().sum::<u64>()));
}
