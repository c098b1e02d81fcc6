//! A task panics and leaves a scope behind. The finish waits for the tasks of the scope, those that have
//! ended and the one that has not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rosser::{Finish, Promise, finish};
use shared::Shared;

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let mut numbers = [0_u64; 3];
    let number = Shared::slice(&mut numbers);
    let (begun, go_on, done) = (Promise::new(), Promise::new(), Promise::new());
    let result = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            let (begun, go_on, done) = (&begun, &go_on, &done);
            s.spawn(move |s| {
                begun.set(());
                let scope = s.begin();
                let outer: &Finish = &scope;
                // SAFETY: nobody else touches it before the outermost finish has ended.
                finish(|_| outer.spawn(move |_| unsafe { *number.at(0) = 1 }));
                scope.spawn(move |s| {
                    go_on.get();
                    // SAFETY: as above.
                    s.spawn(move |_| unsafe { *number.at(1) = 1 });
                    // SAFETY: as above.
                    unsafe { *number.at(2) = 1 };
                    done.set(());
                });
                panic!("the scope is not ended");
            });
            go_on.set(());
        });
    }));
    assert!(result.is_err());
    done.get();
    for i in 0..3 {
        // SAFETY: the finish has ended.
        unsafe { *number.at(i) += 1 };
    }
    assert_eq!(numbers, [2; 3]);
}
