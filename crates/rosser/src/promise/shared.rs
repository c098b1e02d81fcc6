//! A promise with several owners, of which only the library knows.
//!
//! An `Arc` would do, if it were not for the detector: who gives up an `Arc` first is an order between
//! tasks, and to the detector an order that the program has made. This one is the library's own
//! business, and must not soften any finding. So the counting is done where the detector does not
//! look, and so is the end: whichever owner is the last, it drops the value after all others are through
//! with it.
#![allow(unsafe_code, reason = "counts references")]

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::Promise;
use crate::runtime::Unseen;

pub(crate) struct Shared<T> {
    inner: NonNull<Inner<T>>,
    owns: PhantomData<Inner<T>>,
}

struct Inner<T> {
    owners: AtomicUsize,
    /// Whether the task has begun that is to set it. If not, whoever gets the value can just as well
    /// run it.
    begun: AtomicBool,
    promise: Promise<T>,
}

// SAFETY: owners in several threads refer to one promise, and the last drops it.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: the same.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(promise: Promise<T>) -> Self {
        let inner =
            Box::new(Inner { owners: AtomicUsize::new(1), begun: AtomicBool::new(false), promise });
        Self { inner: NonNull::from(Box::leak(inner)), owns: PhantomData }
    }

    fn inner(&self) -> &Inner<T> {
        // SAFETY: an owner's promise lives.
        unsafe { self.inner.as_ref() }
    }

    /// The task that is to set it has begun.
    pub(crate) fn note_begun(&self) {
        // Under the detector it always has before anybody asks.
        if cfg!(not(rosser)) {
            self.inner().begun.store(true, Relaxed);
        }
    }

    /// Whether the task that is to set it has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.inner().begun.load(Relaxed)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        add_owner(&self.inner().owners);
        Self { inner: self.inner, owns: PhantomData }
    }
}

impl<T> Deref for Shared<T> {
    type Target = Promise<T>;

    fn deref(&self) -> &Promise<T> {
        &self.inner().promise
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if is_last_owner(&self.inner().owners) {
            let unseen = Unseen::begin();
            // SAFETY: made by `Box::leak`, and nobody else has it any more.
            drop(unsafe { Box::from_raw(self.inner.as_ptr()) });
            unseen.end();
        }
    }
}

/// No method, so that it is compiled here, out of the detector's sight.
#[cfg_attr(rosser, inline(never))]
fn add_owner(owners: &AtomicUsize) {
    owners.fetch_add(1, Relaxed);
}

/// The same.
#[cfg_attr(rosser, inline(never))]
fn is_last_owner(owners: &AtomicUsize) -> bool {
    // AcqRel: what the other owners did is before the end.
    owners.fetch_sub(1, AcqRel) == 1
}
