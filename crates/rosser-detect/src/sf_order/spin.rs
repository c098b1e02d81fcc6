//! A lock for a few instructions.

use std::sync::atomic::{AtomicBool, Ordering};

/// The lock. It is waited for busily: whoever has it is about to give it back.
#[derive(Debug, Default)]
pub struct Spin(AtomicBool);

/// Gives the lock back when it is dropped.
#[derive(Debug)]
pub struct Held<'a>(&'a AtomicBool);

impl Spin {
    /// A lock that nobody has.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Takes the lock.
    #[inline]
    pub fn lock(&self) -> Held<'_> {
        let mut tries = 0;
        // Acquire and release: what the last holder has done is there. The look in between decides nothing.
        while self.0.swap(true, Ordering::Acquire) {
            while self.0.load(Ordering::Relaxed) {
                pause(&mut tries);
            }
        }
        Held(&self.0)
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Waits a little; after many tries until other threads have had a chance to run.
#[inline]
pub fn pause(tries: &mut u32) {
    *tries += 1;
    if *tries < 200 {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}
