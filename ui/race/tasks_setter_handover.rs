//! A task hands the obligation to set a promise over to another and goes on to write what it should
//! have written before: the promise is set by somebody else now, and covers nothing of it.

use std::hint::black_box;

use rosser::{Promise, Setter, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let ready = Promise::new();
    let setter = Setter::new(&ready);
    finish(|s| {
        s.spawn(move |s| {
            s.spawn(move |_| setter.set(()));
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        ready.get();
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 1);
}
