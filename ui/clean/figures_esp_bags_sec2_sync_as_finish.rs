//! Raman et al. 2012, section 2.3: each sync block becomes a finish block, so that the tasks run
//! one after the other.

use rosser::finish;
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: there is no other task.
            unsafe { *place.get() = 1 }
        });
    });
    finish(|s| {
        s.spawn(|_| {
            // SAFETY: the first task has ended.
            unsafe { *place.get() += 1 }
        });
    });
    assert_eq!(x, 2);
}
