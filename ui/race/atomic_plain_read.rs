//! One task updates an atomic, the other reads the same memory through a plain pointer: atomic on
//! one side only is a data race.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use shared::Shared;

fn main() {
    let counter = AtomicU64::new(0);
    let plain = Shared::from_raw(counter.as_ptr());
    rayon::join(
        || counter.fetch_add(1, Ordering::SeqCst), //~ race 1
        || {
            // SAFETY: `counter` outlives the join; the conflict is what is tested.
            black_box(unsafe { *plain.get() }); //~ race 1
        },
    );
    assert_eq!(counter.into_inner(), 1);
}
