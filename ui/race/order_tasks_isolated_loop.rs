//! Tasks that update a number in isolated sections, again and again. No update is lost, but they do
//! not commute.

use rosser::{finish, isolated};
use shared::Shared;

fn main() {
    let mut x = 1_u64;
    let place = Shared::new(&mut x);
    finish(|s| {
        for task in 0..3 {
            s.spawn(move |_| {
                for _ in 0..4 {
                    isolated(|| {
                        // SAFETY: `x` outlives the finish and is touched in isolation only.
                        unsafe { *place.get() = *place.get() * 3 % 1000 + task } //~ order 1
                    });
                }
            });
        }
    });
    assert!(x < 1003);
}
