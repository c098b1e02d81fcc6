//! `DataRaceBench` DRB176, fib-taskdep: two tasks compute the halves, a third waits for both and
//! adds them; the caller waits for all three.

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
            // SAFETY: nobody else touches `i` before the promise is set.
            unsafe { *at_i.get() = fib(n - 1) }
            out_i.set(());
        });
        s.spawn(|_| {
            // SAFETY: the same for `j`.
            unsafe { *at_j.get() = fib(n - 2) }
            out_j.set(());
        });
        s.spawn(|_| {
            out_i.get();
            out_j.get();
            // SAFETY: the other tasks are through, and `sum` is this one's own.
            unsafe { *at_sum.get() = *at_i.get() + *at_j.get() }
        });
    });
    assert_eq!(sum, i + j);
    sum
}

fn main() {
    assert_eq!(fib(7), 13);
}
