//! What the runtime does for the library, by C functions that are linked into the program.
#![allow(unsafe_code, reason = "the runtime has a C interface")]

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

use crate::runtime::Here;

pub(super) use crate::runtime::abi::TaskFn;
use crate::runtime::abi::{
    Future as Opaque, rosser_future_drop, rosser_future_get, rosser_future_is_done,
    rosser_future_spawn, rosser_isolated_begin, rosser_isolated_end, rosser_library_spawn,
    rosser_promise, rosser_scope_begin, rosser_scope_end,
};

pub(super) fn scope_begin() -> u64 {
    // SAFETY: always allowed.
    unsafe { rosser_scope_begin() }
}

/// Waits for the tasks of a scope.
pub(super) fn scope_end(scope: u64) {
    // SAFETY: scopes end in the task that has begun them.
    unsafe { rosser_scope_end(scope) }
}

/// Starts a task of a scope.
///
/// # Safety
/// The body may be called with its data, by any thread, until the scope ends.
pub(super) unsafe fn spawn(scope: u64, body: TaskFn, data: *mut (), here: Here) {
    // SAFETY: as the caller promises.
    unsafe { rosser_library_spawn(scope, body, data, here.pc()) }
}

/// The current task does something with a promise.
#[inline(never)]
pub(super) fn promise(here: Here) {
    // SAFETY: always allowed.
    unsafe { rosser_promise(here.pc()) }
}

pub(super) fn isolated_begin(here: Here) {
    // SAFETY: always allowed.
    unsafe { rosser_isolated_begin(here.pc()) }
}

pub(super) fn isolated_end(here: Here) {
    // SAFETY: always allowed.
    unsafe { rosser_isolated_end(here.pc()) }
}

/// A future, once its task was started.
#[derive(Debug)]
pub(super) struct Future(AtomicPtr<Opaque>);

impl Future {
    pub(super) const fn none() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Starts the task. To be called once, before anybody gets the future.
    ///
    /// # Safety
    /// As for [`spawn`].
    pub(super) unsafe fn spawn(&self, scope: u64, body: TaskFn, data: *mut (), here: Here) {
        // SAFETY: as the caller promises.
        let future = unsafe { rosser_future_spawn(scope, body, data, here.pc()) };
        self.0.swap(future, AcqRel);
    }

    /// Whether nobody has to wait for it.
    pub(super) fn is_done(&self) -> bool {
        // SAFETY: it is given back by `drop` alone.
        unsafe { rosser_future_is_done(self.0.load(Acquire)) }
    }

    /// Waits for it; the current task gets it.
    pub(super) fn get(&self, here: Here) {
        // SAFETY: it is given back by `drop` alone.
        unsafe { rosser_future_get(self.0.load(Acquire), here.pc()) }
    }
}

impl Drop for Future {
    #[inline(never)]
    fn drop(&mut self) {
        // SAFETY: nobody has it any more.
        unsafe { rosser_future_drop(*self.0.get_mut()) }
    }
}
