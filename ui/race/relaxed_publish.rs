//! Data handed over through a `Relaxed` flag: the flag orders nothing, so the data race; the flag
//! itself is atomic and order-dependent.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use shared::Shared;

fn main() {
    let mut data = 0_u32;
    let place = Shared::new(&mut data);
    let ready = AtomicBool::new(false);
    rayon::join(
        || {
            // SAFETY: `data` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 7 } //~ race 1
            ready.store(true, Ordering::Relaxed); //~ order 1
        },
        || {
            let seen = ready.load(Ordering::Relaxed); //~ order 1
            if seen {
                // SAFETY: as above.
                black_box(unsafe { *place.get() }); //~ race 1
            }
        },
    );
    assert_eq!(data, 7);
}
