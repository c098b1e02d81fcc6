//! The first closure of a `join` writes what the second reads.

use std::hint::black_box;

use shared::Shared;

fn main() {
    let mut x = 1_u32;
    let place = Shared::new(&mut x);
    rayon::join(
        || {
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 2 } //~ race 1
        },
        || {
            // SAFETY: as above.
            black_box(unsafe { *place.get() }); //~ race 1
        },
    );
    assert_eq!(x, 2);
}
