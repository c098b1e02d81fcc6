//! A task spins on a flag that its later sibling sets: it is stopped as spinning.
//@ stopped: spinning

use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    let ready = AtomicBool::new(false);
    rayon::join(
        || {
            while !ready.load(Ordering::Acquire) {
                std::hint::spin_loop();
            }
        },
        || ready.store(true, Ordering::Release),
    );
}
