//! A task is started inside an inner finish, but with the outer one's handle: the end of the inner
//! finish does not wait for it.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut values = [0_u64; 2];
    let place = Shared::slice(&mut values);
    finish(|outer| {
        finish(|inner| {
            inner.spawn(|_| {
                // SAFETY: nobody else touches it before the inner finish ends.
                unsafe { *place.at(0) = 1 }
            });
            outer.spawn(|_| {
                // SAFETY: `values` outlives the finish; the conflict is what is tested.
                unsafe { *place.at(1) = 2 } //~ race 1
            });
        });
        // SAFETY: the task of the inner finish has ended.
        assert_eq!(unsafe { *place.at(0) }, 1);
        // SAFETY: as above.
        black_box(unsafe { *place.at(1) }); //~ race 1
    });
    assert_eq!(values, [1, 2]);
}
