//! Feng and Leiserson 1997, section 8: the shared bound of a branch-and-bound search. The plain
//! read that prunes races with the updates. Those take the maximum, but by compare-and-exchange, of
//! which nobody knows that it commutes.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser::procedure;
use shared::Shared;

fn main() {
    let best = AtomicU64::new(0);
    let plain = Shared::from_raw(best.as_ptr());
    let raise = |value: u64| {
        let higher = |known| (known < value).then_some(value);
        let _ = best.fetch_update(Relaxed, Relaxed, higher); //~ race 1, order 1
    };
    procedure(|p| {
        for branch in 1..4 {
            let raise = &raise;
            p.spawn(move |_| {
                // SAFETY: `best` outlives the procedure; the conflict is what is tested.
                let bound = unsafe { *plain.get() }; //~ race 1
                if bound < 10 * branch {
                    raise(10 * branch);
                }
            });
        }
        p.sync();
    });
    assert_eq!(best.load(Relaxed), 30);
}
