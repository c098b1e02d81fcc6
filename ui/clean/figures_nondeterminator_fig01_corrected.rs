//! Feng and Leiserson 1997, Figure 1 corrected: a sync between the two increments.

use rosser::procedure;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    procedure(|p| {
        for _ in 0..2 {
            p.spawn(|_| {
                // SAFETY: the parent waits for one before it spawns the other.
                unsafe { *place.get() += 1 }
            });
            p.sync();
        }
    });
    assert_eq!(x, 2);
}
