//! Feng and Leiserson 1997, Figure 1: two spawned procedures add one to `x`.

use rosser::procedure;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    procedure(|p| {
        for _ in 0..2 {
            p.spawn(|_| {
                // SAFETY: `x` outlives the procedure; the conflict is what is tested.
                unsafe { *place.get() += 1 } //~ race 1
            });
        }
        p.sync();
    });
    assert!(x == 1 || x == 2);
}
