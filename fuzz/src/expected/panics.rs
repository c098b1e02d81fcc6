//! What is said when a program panics.
//!
//! A deadlock is told once; what goes on after it may be another panic, which only followed from it.

use std::panic::{PanicHookInfo, set_hook};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FIRST: Mutex<Option<String>> = Mutex::new(None);

fn first() -> MutexGuard<'static, Option<String>> {
    FIRST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panics are kept from now on, and not printed.
pub fn keep_panics() {
    set_hook(Box::new(keep));
}

fn keep(panic: &PanicHookInfo) {
    let text = panic.payload_as_str().unwrap_or("something that is no text");
    first().get_or_insert_with(|| text.to_owned());
}

/// What the first panic said since this was last asked.
pub fn take_panic() -> Option<String> {
    first().take()
}
