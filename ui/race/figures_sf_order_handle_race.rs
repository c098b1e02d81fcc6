//! Futures that are not structured: a race on the handle. One task starts another and stores a
//! handle to it, here a reference to the promise that it sets last; a parallel task loads the
//! handle and waits. It may come before there is one, and then has to do without.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let done = Promise::new();
    let mut cell: Option<&Promise<()>> = None;
    let handle = Shared::new(&mut cell);
    finish(|s| {
        s.spawn(|s| {
            s.spawn(|_| {
                // SAFETY: nobody else touches it before the promise is set.
                unsafe { *place.get() = 7 }
                done.set(());
            });
            // SAFETY: the cell outlives the finish; the conflict is what is tested.
            unsafe { *handle.get() = Some(&done) } //~ race 1
        });
        s.spawn(|_| {
            // SAFETY: as above.
            let found = unsafe { *handle.get() }; //~ race 1
            if let Some(done) = found {
                done.get();
                // SAFETY: the task is through with it.
                assert_eq!(unsafe { *place.get() }, 7);
            }
        });
    });
}
