//! The same with a polite waiter, which yields to the scheduler in every round.
//@ stopped: spinning

use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    let ready = AtomicBool::new(false);
    rayon::scope(|scope| {
        scope.spawn(|_| {
            while !ready.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        });
        scope.spawn(|_| ready.store(true, Ordering::Release));
    });
}
