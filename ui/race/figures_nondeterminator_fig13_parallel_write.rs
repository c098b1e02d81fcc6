//! Feng and Leiserson 1997, Figure 13 with a plain assignment beside the accumulation.

use std::sync::atomic::{AtomicU64, Ordering};

use rosser::procedure;
use shared::Shared;

fn main() {
    let x = AtomicU64::new(0);
    let plain = Shared::from_raw(x.as_ptr());
    procedure(|p| {
        p.spawn(|_| {
            x.fetch_add(2, Ordering::Relaxed); //~ race 1
        });
        // SAFETY: `x` outlives the procedure; the conflict is what is tested.
        unsafe { *plain.get() = 10 } //~ race 1
        p.sync();
    });
    assert!([10, 12].contains(&x.into_inner()));
}
