//! `DataRaceBench` DRB133, taskdep5: a chain from `x` to `y`. The parent waits for `x` alone and
//! reads it in parallel with the second task's read; `y` is read after the join.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 2_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    let (out_x, out_y) = (Promise::new(), Promise::new());
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches `x` before the promise is set.
            unsafe { *at_x.get() += 1 }
            out_x.set(());
        });
        s.spawn(|_| {
            out_x.get();
            // SAFETY: `x` has been written, `y` is this task's own until the finish ends.
            unsafe { *at_y.get() -= *at_x.get() }
            out_y.set(());
        });
        out_x.get();
        // SAFETY: the first task is through with it.
        assert_eq!(unsafe { *at_x.get() }, 1);
    });
    assert_eq!(y, 1);
}
