//! A spawned task is parallel to the rest of the scope's body, not to what stood before it.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut x = 0_i64;
    let place = Shared::new(&mut x);
    rayon::scope(|scope| {
        // SAFETY: `x` outlives the scope, and nothing is spawned yet.
        unsafe { *place.get() = 1 }
        scope.spawn(move |_| {
            // SAFETY: as above; the conflict is what is tested.
            unsafe { *place.get() = 2 } //~ race 1
        });
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 2);
}
