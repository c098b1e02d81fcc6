//! `DataRaceBench` DRB174, non-sibling-taskdep: as DRB173, but each outer task waits for its inner
//! one, so the promise between the outer tasks orders the increments as well.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut a = 0_u64;
    let place = Shared::new(&mut a);
    let outer = [Promise::new(), Promise::new()];
    finish(|s| {
        s.spawn(|_| {
            finish(|s| {
                s.spawn(|_| {
                    // SAFETY: nobody else touches it before the promise is set.
                    unsafe { *place.get() += 1 }
                });
            });
            outer[0].set(());
        });
        s.spawn(|_| {
            outer[0].get();
            finish(|s| {
                s.spawn(|_| {
                    // SAFETY: the first task and its inner one are through with it.
                    unsafe { *place.get() += 1 }
                });
            });
            outer[1].set(());
        });
    });
    assert_eq!(a, 2);
}
