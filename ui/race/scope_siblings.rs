//! Two tasks spawned by one scope are parallel to each other.

use shared::Shared;

fn main() {
    let mut x = 0_u16;
    let place = Shared::new(&mut x);
    rayon::scope(|scope| {
        scope.spawn(move |_| {
            // SAFETY: `x` outlives the scope; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        });
        scope.spawn(move |_| {
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        });
    });
    assert!(x == 1 || x == 2);
}
