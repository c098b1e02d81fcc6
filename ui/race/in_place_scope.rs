//! The body of an `in_place_scope` stays on the calling thread and is still parallel to what it
//! spawned.

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    rayon::in_place_scope(|scope| {
        scope.spawn(move |_| {
            // SAFETY: `x` outlives the scope; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        // SAFETY: as above.
        unsafe { *place.get() = 2 } //~ race 1
    });
    assert!(x == 1 || x == 2);
}
