//! Jin et al. 2023, Figure 1: a promise orders the second read but not the first.

use std::hint::black_box;

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let y = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 5 } //~ race 1
            y.set(());
        });
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
        y.get();
        // SAFETY: the task is through with it.
        assert_eq!(unsafe { *place.get() }, 5);
    });
}
