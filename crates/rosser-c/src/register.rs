//! A list of things that know their places in it, so that each can be taken out at once.
#![allow(unsafe_code, reason = "the list does not own what it lists")]

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something that can be in a register.
pub(crate) trait Listed {
    /// Where it stands; guarded by the register's lock.
    fn slot(&self) -> &AtomicUsize;
}

pub(crate) struct Register<T>(Mutex<Vec<*const T>>);

impl<T: Listed> Register<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// # Safety
    /// The entry must live until it is removed or the list taken.
    pub(crate) unsafe fn add(&self, entry: *const T) {
        let mut list = self.lock();
        // SAFETY: as the caller promises.
        unsafe { &*entry }.slot().store(list.len(), Relaxed);
        list.push(entry);
    }

    /// # Safety
    /// The entry must be in the register.
    pub(crate) unsafe fn remove(&self, entry: *const T) {
        let mut list = self.lock();
        // SAFETY: what is in the list lives.
        let slot = unsafe { &*entry }.slot().load(Relaxed);
        list.swap_remove(slot);
        if let Some(&moved) = list.get(slot) {
            // SAFETY: the same.
            unsafe { &*moved }.slot().store(slot, Relaxed);
        }
    }

    /// All entries, which are in no register from now on.
    pub(crate) fn take(&self) -> Vec<*const T> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<*const T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
