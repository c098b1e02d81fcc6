//! `DataRaceBench` DRB132, taskdep4: as DRB131, but `y` is read only after everything is joined.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 2_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    let out_x = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches `x` before the promise is set.
            unsafe { *at_x.get() += 1 }
            out_x.set(());
        });
        s.spawn(|_| {
            // SAFETY: `y` is this task's own until the finish ends.
            unsafe { *at_y.get() -= 1 }
        });
        out_x.get();
        // SAFETY: the first task is through with it.
        assert_eq!(unsafe { *at_x.get() }, 1);
    });
    assert_eq!(y, 1);
}
