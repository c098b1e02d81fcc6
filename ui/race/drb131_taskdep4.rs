//! `DataRaceBench` DRB131, taskdep4: waiting for `x` says nothing about `y`. The task that
//! decrements `y` has no depend clause and may still be running when `y` is read.

use std::hint::black_box;

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
            // SAFETY: `y` outlives the finish; the conflict is what is tested.
            unsafe { *at_y.get() -= 1 } //~ race 1
        });
        out_x.get();
        // SAFETY: the first task is through with it.
        assert_eq!(unsafe { *at_x.get() }, 1);
        // SAFETY: as for `y` above.
        black_box(unsafe { *at_y.get() }); //~ race 1
    });
    assert_eq!((x, y), (1, 1));
}
