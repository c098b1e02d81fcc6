//! `DataRaceBench` DRB175, non-sibling-taskdep2: every thread makes its own task. The promise that
//! each of them sets is known to nobody else and orders nothing.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut a = 0_u64;
    let place = Shared::new(&mut a);
    finish(|s| {
        for _ in 0..2 {
            s.spawn(|s| {
                let out_a = Promise::new();
                s.spawn(move |_| {
                    // SAFETY: `a` outlives the finish; the conflict is what is tested.
                    unsafe { *place.get() += 1 } //~ race 1
                    out_a.set(());
                });
            });
        }
    });
    assert!(a == 1 || a == 2);
}
