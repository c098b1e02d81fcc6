//! `DataRaceBench` DRB173, non-sibling-taskdep: depend clauses order siblings only. Each outer task
//! leaves its increment to an inner task and ends without waiting for it.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut a = 0_u64;
    let place = Shared::new(&mut a);
    let outer = [Promise::new(), Promise::new()];
    let inner = [Promise::new(), Promise::new()];
    finish(|s| {
        s.spawn(|s| {
            s.spawn(|_| {
                // SAFETY: `a` outlives the finish; the conflict is what is tested.
                unsafe { *place.get() += 1 } //~ race 1
                inner[0].set(());
            });
            outer[0].set(());
        });
        s.spawn(|s| {
            outer[0].get();
            s.spawn(|_| {
                // SAFETY: as above.
                unsafe { *place.get() += 1 } //~ race 1
                inner[1].set(());
            });
            outer[1].set(());
        });
    });
    assert!(a == 1 || a == 2);
}
