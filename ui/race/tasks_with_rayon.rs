//! A part of rayon's `join` inside one task, and another task beside it.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 0_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    finish(|s| {
        s.spawn(|_| {
            rayon::join(
                || {
                    // SAFETY: nobody else touches it before the join ends.
                    unsafe { *at_y.get() = 1 }
                },
                || {
                    // SAFETY: `x` outlives the finish; the conflict is what is tested.
                    unsafe { *at_x.get() = 1 } //~ race 1
                },
            );
            // SAFETY: the join has ended.
            unsafe { *at_y.get() += 1 }
        });
        s.spawn(|_| {
            // SAFETY: as above.
            unsafe { *at_x.get() = 2 } //~ race 1
        });
    });
    assert!(y == 2 && (x == 1 || x == 2));
}
