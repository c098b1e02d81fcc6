//! A task outlives the one that started it. A sibling that waits for the parent's promise has not
//! waited for the child.

use std::hint::black_box;

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let parent_done = Promise::new();
    finish(|s| {
        s.spawn(|s| {
            s.spawn(|_| {
                // SAFETY: `x` outlives the finish; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
            });
            parent_done.set(());
        });
        s.spawn(|_| {
            parent_done.get();
            // SAFETY: as above.
            black_box(unsafe { *place.get() }); //~ race 1
        });
    });
    assert_eq!(x, 1);
}
