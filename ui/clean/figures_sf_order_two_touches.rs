//! General futures: one handle got by two tasks. Not structured, but no race: both reads come after
//! the future's end.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut x, mut y) = (0_u64, [0_u64; 2]);
    let (at_x, at_y) = (Shared::new(&mut x), Shared::slice(&mut y));
    finish(|s| {
        let f = s.spawn_future(|_| {
            // SAFETY: nobody else touches it before the future is got.
            unsafe { *at_x.get() = 5 }
        });
        let f = f.share();
        finish(|s| {
            for i in 0..2 {
                let f = f.clone();
                s.spawn(move |_| {
                    f.get();
                    // SAFETY: the future is through, and the element is this task's own.
                    unsafe { *at_y.at(i) = *at_x.get() + i as u64 }
                });
            }
        });
    });
    assert_eq!(y, [5, 6]);
}
