//! Netzer and Miller 1991, Figure 1: a work queue with an unsynchronised remove. In depth-first
//! order the first child empties the queue; its updates of the length race with the second child's
//! test of it. That is the bug; that children might work on the same region is only its
//! consequence.

use rosser::finish;
use shared::Shared;

fn main() {
    let low = [1_usize, 2, 0, 3];
    let (mut number, mut regions) = (4_usize, [0_u64; 4]);
    let (length, work) = (Shared::new(&mut number), Shared::slice(&mut regions));
    finish(|s| {
        for _ in 0..2 {
            s.spawn(|_| {
                loop {
                    // SAFETY: `number` outlives the finish; the conflict is what is tested.
                    let n = unsafe { *length.get() }; //~ race 1
                    if n == 0 {
                        break;
                    }
                    let region = low[n - 1];
                    // SAFETY: as above.
                    unsafe { *length.get() = n - 1 } //~ race 1
                    // SAFETY: the index is in bounds.
                    unsafe { *work.at(region) += 1 }
                }
            });
        }
    });
    assert!(regions.iter().all(|&times| times > 0));
}
