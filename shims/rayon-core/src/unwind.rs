//! Panics as values: caught in the task that panics, handed over, and raised again by whoever
//! joins the task.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send>;

/// Calls `func` and catches its panic.
///
/// Whoever gets the payload raises it again, so nobody goes on with what the panic left broken,
/// and unwind safety can be taken for granted.
#[inline(always)]
#[cfg_attr(rosser_unseen, sanitize(thread = "off"))]
pub(crate) fn halt_unwinding<F, R>(func: F) -> thread::Result<R>
where
    F: FnOnce() -> R,
{
    panic::catch_unwind(AssertUnwindSafe(func))
}

/// Raises a caught panic again, without a second message.
pub(crate) fn resume_unwinding(payload: Payload) -> ! {
    panic::resume_unwind(payload)
}

/// The value of a task that ended, or its panic, raised again.
#[inline]
pub(crate) fn value_or_resume<R>(outcome: thread::Result<R>) -> R {
    match outcome {
        Ok(value) => value,
        Err(payload) => resume_unwinding(payload),
    }
}

/// Ends the process when a panic passes by. Forget it where all went well.
pub(crate) struct AbortIfPanic;

impl Drop for AbortIfPanic {
    fn drop(&mut self) {
        eprintln!("rayon: a panic that nobody handles; aborting");
        process::abort();
    }
}

/// Keeps the first of several panics.
///
/// Parallel tasks write to it, maybe at the same time. Its methods are not inlined, so the detector
/// sees nothing of that.
pub(crate) struct FirstPanic {
    payload: Mutex<Option<Payload>>,
}

impl FirstPanic {
    pub(crate) const fn new() -> Self {
        FirstPanic { payload: Mutex::new(None) }
    }

    /// Keeps the payload if it is the first. A later one is dropped here, by its own task.
    #[cold]
    #[inline(never)]
    pub(crate) fn offer(&self, payload: Payload) {
        let mut kept = self.payload.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() {
            *kept = Some(payload);
        }
    }

    /// Raises the first panic, if there was one.
    #[inline(never)]
    pub(crate) fn propagate(&self) {
        let payload = self.payload.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(payload) = payload {
            resume_unwinding(payload);
        }
    }

    #[inline(never)]
    pub(crate) fn is_some(&self) -> bool {
        self.payload.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
