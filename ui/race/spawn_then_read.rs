//! The main task waits for a detached task through an atomic flag. That orders the two in this
//! run, and a wait is not a join: data and flag are order-dependent, not racing.

use std::sync::atomic::{AtomicBool, Ordering};

static mut RESULT: u32 = 0;
static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    rayon::spawn(|| {
        // SAFETY: the flag below hands the result over.
        unsafe { RESULT = 7 } //~ order 1
        READY.store(true, Ordering::Release); //~ order 2
    });
    let ready = || READY.load(Ordering::Acquire); //~ order 2
    while !ready() {
        std::thread::yield_now();
    }
    // SAFETY: the flag was seen.
    let result = unsafe { RESULT }; //~ order 1
    assert_eq!(result, 7);
}
