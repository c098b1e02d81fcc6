//! `DataRaceBench` DRB177, fib-taskdep: as DRB176, but the task that adds waits for one half only.
//! Its read of the other races at every level. The caller's own sum is right, since it waits.

use rosser::{Promise, finish};
use shared::Shared;

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (mut i, mut j, mut sum) = (0, 0, 0);
    let (at_i, at_j, at_sum) = (Shared::new(&mut i), Shared::new(&mut j), Shared::new(&mut sum));
    let (out_i, out_j) = (Promise::new(), Promise::new());
    finish(|s| {
        s.spawn(|_| {
            let value = fib(n - 1);
            // SAFETY: `i` outlives the finish; the conflict is what is tested.
            unsafe { *at_i.get() = value } //~ race 1
            out_i.set(());
        });
        s.spawn(|_| {
            // SAFETY: nobody else touches `j` before the promise is set.
            unsafe { *at_j.get() = fib(n - 2) }
            out_j.set(());
        });
        s.spawn(|_| {
            out_j.get();
            // SAFETY: as for `i` above.
            let left = unsafe { *at_i.get() }; //~ race 1
            // SAFETY: `j` has been written, and `sum` is this task's own.
            unsafe { *at_sum.get() = left + *at_j.get() }
        });
    });
    assert!(sum <= i + j);
    i + j
}

fn main() {
    assert_eq!(fib(6), 8);
}
