//! `DataRaceBench` DRB079, taskdep3: one writer, two readers. Both wait for the writer; they are
//! parallel with each other, but only read `i` and write different variables.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (mut i, mut j, mut k) = (0_u64, 0_u64, 0_u64);
    let (at_i, at_j, at_k) = (Shared::new(&mut i), Shared::new(&mut j), Shared::new(&mut k));
    let out_i = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches `i` before the promise is set.
            unsafe { *at_i.get() = 1 }
            out_i.set(());
        });
        s.spawn(|_| {
            out_i.get();
            // SAFETY: `i` has been written, `j` is this task's own.
            unsafe { *at_j.get() = *at_i.get() }
        });
        s.spawn(|_| {
            out_i.get();
            // SAFETY: `i` has been written, `k` is this task's own.
            unsafe { *at_k.get() = *at_i.get() }
        });
    });
    assert_eq!((j, k), (1, 1));
}
