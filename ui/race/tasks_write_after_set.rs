//! A set covers what came before it, not what follows.

use std::hint::black_box;

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let ready = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: nobody else touches it before the promise is set.
            unsafe { *place.get() = 1 }
            ready.set(());
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 2 } //~ race 1
        });
        ready.get();
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 2);
}
