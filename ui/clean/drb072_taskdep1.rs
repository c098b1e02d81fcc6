//! `DataRaceBench` DRB072, taskdep1: `depend(out: i)`, then `depend(in: i)`. The clause becomes a
//! promise that the first task sets at its end and the second gets at its start.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut i = 0_u64;
    let place = Shared::new(&mut i);
    let out_i = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches `i` before the promise is set.
            unsafe { *place.get() = 1 }
            out_i.set(());
        });
        s.spawn(|_| {
            out_i.get();
            // SAFETY: the first task is through with it.
            unsafe { *place.get() = 2 }
        });
    });
    assert_eq!(i, 2);
}
