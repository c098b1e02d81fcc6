//! A task that spawns into its own scope is parallel to the task it spawned.

use shared::Shared;

fn main() {
    let mut x = 0_u32;
    let place = Shared::new(&mut x);
    rayon::scope(|scope| {
        scope.spawn(move |scope| {
            scope.spawn(move |_| {
                // SAFETY: `x` outlives the scope; the conflict is what is tested.
                unsafe { *place.get() = 1 } //~ race 1
            });
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
        });
    });
    assert!(x == 1 || x == 2);
}
