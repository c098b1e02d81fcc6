//! A task spawned into the outer scope from within an inner one is not joined by the inner scope:
//! it is still parallel to what follows. The inner scope's own task is not.

use shared::Shared;

fn main() {
    let mut cells = [0_u64; 2];
    let cell = Shared::slice(&mut cells);
    rayon::scope(|outer| {
        rayon::scope(|inner| {
            outer.spawn(move |_| {
                // SAFETY: `cells` outlives both scopes; the conflict is what is tested.
                unsafe { *cell.at(0) = 1 } //~ race 1
            });
            inner.spawn(move |_| {
                // SAFETY: the inner scope joins this before anyone else touches it.
                unsafe { *cell.at(1) = 1 }
            });
        });
        // SAFETY: the outer task may still run; the inner one has ended.
        unsafe {
            *cell.at(0) = 2; //~ race 1
            *cell.at(1) += 1;
        }
    });
    assert_eq!(cells[1], 2);
}
