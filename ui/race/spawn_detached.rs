//! `rayon::spawn` is joined by nothing. Two such tasks race on a plain static; the counter by
//! which the main task waits for them is atomic, so its value depends on the schedule only.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

static mut LAST: u32 = 0;
static DONE: AtomicU32 = AtomicU32::new(0);

fn work(id: u32) {
    // SAFETY: not safe at all; the conflict is what is tested.
    unsafe { LAST = id } //~ race 1
    DONE.fetch_add(1, Ordering::Release); //~ order 1
}

fn main() {
    // Nobody reads the static, and yet the optimiser must not drop it.
    black_box(&raw const LAST);
    rayon::spawn(|| work(1));
    rayon::spawn(|| work(2));
    let done = || DONE.load(Ordering::Acquire) == 2; //~ order 1
    while !done() {
        std::thread::yield_now();
    }
}
