//! Raman et al. 2012, section 5: an isolated write against a plain read. Isolated sections exclude
//! each other, not the rest of the program.

use std::hint::black_box;

use rosser::{finish, isolated};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        s.spawn(|_| {
            isolated(|| {
                // SAFETY: `x` outlives the finish; the conflict is what is tested.
                unsafe { *place.get() += 1 } //~ race 1
            });
        });
        // SAFETY: as above.
        black_box(unsafe { *place.get() }); //~ race 1
    });
    assert_eq!(x, 1);
}
