//! `Once` guards a `static mut`: initialised by the first task that comes, read by all.

use std::sync::Once;

use rayon::prelude::*;

static INIT: Once = Once::new();
static mut VALUE: u32 = 0;

fn value() -> u32 {
    INIT.call_once(|| {
        // SAFETY: `Once` lets one task in and the others wait.
        unsafe { VALUE = 7 }
    });
    // SAFETY: it is written only above, which has ended.
    unsafe { VALUE }
}

fn main() {
    assert_eq!((0..8_u32).into_par_iter().map(|_| value()).sum::<u32>(), 56);
}
