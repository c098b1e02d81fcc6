//! Feng and Leiserson 1997, Figure 13 with `+=` and `*=`: each update is in one piece, but they do
//! not commute. An accumulator has one operator only; isolated sections can do anything.

use rosser::{isolated, procedure};
use shared::Shared;

fn main() {
    let mut x = 1_u64;
    let place = Shared::new(&mut x);
    procedure(|p| {
        p.spawn(|_| {
            isolated(|| {
                // SAFETY: `x` outlives the procedure, and is touched in isolated sections only.
                unsafe { *place.get() += 2 } //~ order 1
            });
        });
        p.spawn(|_| {
            isolated(|| {
                // SAFETY: as above.
                unsafe { *place.get() *= 3 } //~ order 1
            });
        });
        p.sync();
    });
    assert!(x == 5 || x == 9);
}
