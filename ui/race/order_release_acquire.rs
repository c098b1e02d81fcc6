//! Data published by a `Release` store and taken by an `Acquire` load. In this run the data is
//! handed over properly, in another the flag is not yet set: both are order-dependent.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use shared::Shared;

fn main() {
    let mut data = 0_u32;
    let place = Shared::new(&mut data);
    let ready = AtomicBool::new(false);
    rayon::join(
        || {
            // SAFETY: whoever reads this has seen the flag.
            unsafe { *place.get() = 7 } //~ order 1
            ready.store(true, Ordering::Release); //~ order 2
        },
        || {
            let seen = ready.load(Ordering::Acquire); //~ order 2
            if seen {
                // SAFETY: the flag was seen.
                black_box(unsafe { *place.get() }); //~ order 1
            }
        },
    );
    assert_eq!(data, 7);
}
