//! Structured futures: create one, work on, get it once.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, 0_u64);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::new(&mut y));
    finish(|s| {
        let f = s.spawn_future(|_| {
            // SAFETY: nobody else touches it before the future is got.
            unsafe { *at_x.get() = 40 }
        });
        // SAFETY: the future does not touch it.
        unsafe { *at_y.get() = 2 }
        f.get();
        // SAFETY: the future is through.
        assert_eq!(unsafe { *at_x.get() + *at_y.get() }, 42);
    });
}
