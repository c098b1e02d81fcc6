//! Raman et al. 2012, Figure 2: an inner finish joins some tasks and leaves one running. It waits
//! for T3 and T4, but T2 is joined by the outer one alone, so T4's write is in a race with T2's
//! accesses, of which the first to the word stands for all. T3's write is before the next
//! iteration.

use rosser::finish;
use shared::Shared;

const SIZE: usize = 2;

fn main() {
    let a = [10_u64, 0, 0];
    let mut b = [0_u64; SIZE + 1];
    let place = Shared::slice(&mut b);
    finish(|s| {
        for i in 0..SIZE {
            let a = &a;
            // T2
            s.spawn(move |_| {
                // SAFETY: the index is in bounds; the conflict is what is tested.
                unsafe { *place.at(i) += i as u64 } //~ race 1
                let mut q = 0;
                for value in &a[..i] {
                    q += 1;
                    // SAFETY: as above.
                    unsafe { *place.at(i) = value + q }
                }
            });
            finish(|s| {
                // T3
                s.spawn(move |s| {
                    // T4
                    s.spawn(move |_| {
                        // SAFETY: as above.
                        unsafe { *place.at(i) = a[i] } //~ race 1
                    });
                    // SAFETY: nobody touches it before the inner finish ends.
                    unsafe { *place.at(i + 1) = a[i + 1] + 5 }
                });
            });
        }
    });
    assert_eq!(b[SIZE], 5);
}
