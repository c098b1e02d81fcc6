//! A future whose body leaves the work to another task. To get the future is to wait for its body,
//! not for what it has started.

use std::hint::black_box;

use rosser::finish;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        let future = s.spawn_future(|s| {
            s.spawn(|_| {
                // SAFETY: `x` outlives the finish; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
            });
        });
        future.get();
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 1);
}
