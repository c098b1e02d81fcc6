//! Parts of the address space: mostly, the stack of a thread.

use std::cell::Cell;

use crate::system;

thread_local! {
    static STACK: Cell<StackBounds> = const { Cell::new(StackBounds { low: 0, high: 0 }) };
}

/// The part of the address space a thread's stack is in.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct StackBounds {
    pub low: usize,
    pub high: usize,
}

impl StackBounds {
    /// Those of the calling thread. The system is asked once: for the main thread that takes a while.
    pub fn of_this_thread() -> Self {
        let mut bounds = STACK.get();
        if bounds.high == 0 {
            bounds = Self::ask();
            STACK.set(bounds);
        }
        bounds
    }

    fn ask() -> Self {
        let mut attributes = [0_u64; 8];
        let (mut low, mut size) = (0, 0);
        // SAFETY: the attributes have the size of `pthread_attr_t` and are initialised by the first
        // call; failure leaves the bounds empty.
        unsafe {
            if system::pthread_getattr_np(system::pthread_self(), &raw mut attributes) == 0 {
                system::pthread_attr_getstack(&raw const attributes, &raw mut low, &raw mut size);
                system::pthread_attr_destroy(&raw mut attributes);
            }
        }
        Self { low, high: low + size }
    }

    /// Whether the address is on the stack.
    #[inline]
    pub fn contains(self, address: usize) -> bool {
        address.wrapping_sub(self.low) < self.high - self.low
    }
}
