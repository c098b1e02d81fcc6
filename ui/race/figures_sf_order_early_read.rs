//! Structured futures: the handle is used correctly, once, but the read stands one line too early.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        let f = s.spawn_future(|_| {
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 40 } //~ race 1
        });
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
        f.get();
    });
    assert_eq!(x, 40);
}
