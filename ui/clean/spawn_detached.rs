//! Detached tasks that own what they work on and count themselves by `fetch_add`, which commutes.
//! Nobody waits for them.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

static STARTED: AtomicU32 = AtomicU32::new(0);

fn main() {
    for id in 0..4_u32 {
        let mut own = vec![id; 16];
        rayon::spawn(move || {
            STARTED.fetch_add(1, Ordering::Relaxed);
            for value in &mut own {
                *value += 1;
            }
            black_box(own);
        });
        rayon::spawn_fifo(|| {
            STARTED.fetch_add(1, Ordering::Relaxed);
        });
    }
}
