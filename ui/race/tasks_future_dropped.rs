//! A future is dropped and never got: nothing is waited for, and nothing ordered, not even in this
//! run.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        let future = s.spawn_future(|_| {
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        drop(future);
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 1);
}
