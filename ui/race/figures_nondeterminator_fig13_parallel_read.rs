//! Feng and Leiserson 1997, Figure 13 with a read before the sync. Of an accumulator that is not
//! possible; here the accumulations are atomic additions, and the read is a plain one. It stands
//! before the second spawn, so it is parallel with the first addition only.

use std::hint::black_box;
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
        black_box(unsafe { *plain.get() }); //~ race 1
        p.spawn(|_| {
            x.fetch_add(3, Ordering::Relaxed);
        });
        p.sync();
    });
    assert_eq!(x.into_inner(), 5);
}
