//! A task goes on while its scope is waited for, and starts another: the scope joins that one, too.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let go_on = Promise::new();
    finish(|s| {
        let go_on = &go_on;
        s.spawn(move |_| {
            finish(|s| {
                s.spawn(move |s| {
                    go_on.get();
                    // SAFETY: nobody else touches it before the inner finish has ended.
                    s.spawn(move |_| unsafe { *place.get() = 1 });
                });
            });
            // SAFETY: the inner finish has ended.
            unsafe { *place.get() += 1 };
        });
        // The inner finish is being waited for.
        go_on.set(());
    });
    assert_eq!(x, 2);
}
