//! Structured futures: a handle kept in memory and got by another task. This join cannot be written
//! with spawn and sync alone.

use rosser::{Future, finish};
use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let mut cell: Option<Future<()>> = None;
    let handle = Shared::new(&mut cell);
    finish(|s| {
        let f = s.spawn_future(|_| {
            // SAFETY: nobody else touches it before the future is got.
            unsafe { *place.get() = 7 }
        });
        // SAFETY: the task that uses it is not there yet.
        unsafe { *handle.get() = Some(f) }
        s.spawn(|_| {
            // SAFETY: it was stored before this task was started.
            let f = unsafe { (*handle.get()).take() };
            f.expect("it was stored").get();
            // SAFETY: the future is through with it.
            unsafe { *place.get() += 1 }
        });
    });
    assert_eq!(x, 8);
}
