//! `DataRaceBench` DRB134, taskdep5: as DRB133, but `y` is read while the second task may still be
//! running: the parent has waited for the first only.

use std::hint::black_box;

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
            // SAFETY: both outlive the finish; the conflict is what is tested.
            unsafe { *at_y.get() -= *at_x.get() } //~ race 1
            out_y.set(());
        });
        out_x.get();
        // SAFETY: the first task is through with it.
        assert_eq!(unsafe { *at_x.get() }, 1);
        // SAFETY: as for `y` above.
        black_box(unsafe { *at_y.get() }); //~ race 1
    });
    assert_eq!(y, 1);
}
