//! Netzer and Miller 1991, Figure 1: the execution of the ordering graph, replayed, with its
//! regions as constants. The removes race, and the work on one region, which is apparent but not
//! feasible: had the removes not overlapped, the left child would have worked elsewhere.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut number, mut regions) = (0_u64, [0_u64; 4]);
    let (head, shared) = (Shared::new(&mut number), Shared::slice(&mut regions));
    finish(|s| {
        s.spawn(|_| {
            for turn in 0..2 {
                // SAFETY: `number` outlives the finish; the conflict is what is tested.
                unsafe { *head.get() += 1 } //~ race 1
                for k in 1..2 + turn {
                    // SAFETY: the same for the regions, and the index is in bounds.
                    unsafe { *shared.at(k) = 1 } //~ race 2
                }
            }
        });
        s.spawn(|_| {
            for turn in 0..2 {
                // SAFETY: as above.
                unsafe { *head.get() += 1 } //~ race 1
                // SAFETY: as above.
                unsafe { *shared.at(2 + turn) = 1 } //~ race 2
            }
        });
    });
    assert_eq!(regions, [0, 1, 1, 1]);
}
