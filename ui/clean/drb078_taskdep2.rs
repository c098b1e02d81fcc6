//! `DataRaceBench` DRB078, taskdep2: `depend(out: i)` twice. The later task waits for the earlier;
//! each output has its own promise, and nobody is interested in the second.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut i = 0_u64;
    let place = Shared::new(&mut i);
    let (first, second) = (Promise::new(), Promise::new());
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches `i` before the promise is set.
            unsafe { *place.get() = 1 }
            first.set(());
        });
        s.spawn(|_| {
            first.get();
            // SAFETY: the first task is through with it.
            unsafe { *place.get() = 2 }
            second.set(());
        });
    });
    assert_eq!(i, 2);
}
