//! The obligation to set a promise is handed from task to task, along with the data.

use rosser::{Finish, Promise, Setter, finish};
use shared::Shared;

type Duty<'scope> = Setter<u64, &'scope Promise<u64>>;

/// Adds to the number and passes it on, until it has been passed on often enough.
fn relay<'scope>(s: &Finish<'scope>, number: Shared<u64>, duty: Duty<'scope>, runners: u64) {
    // SAFETY: the task that handed it over does not touch it any more.
    let distance = unsafe {
        *number.get() += runners;
        *number.get()
    };
    if runners == 0 {
        duty.set(distance);
    } else {
        s.spawn(move |s| relay(s, number, duty, runners - 1));
    }
}

fn main() {
    let mut number = 0_u64;
    let place = Shared::new(&mut number);
    let finished = Promise::new();
    let duty = Setter::new(&finished);
    finish(|s| {
        s.spawn(move |s| relay(s, place, duty, 10));
        assert_eq!(*finished.get(), 55);
        // SAFETY: the last one has set the promise.
        assert_eq!(unsafe { *place.get() }, 55);
    });
}
