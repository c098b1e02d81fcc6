//! How a thread sleeps that is no task: until somebody says `unpark`, once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

#[derive(Debug, Default)]
pub(super) struct Parker {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Parker {
    /// Blocks the calling thread until [`unpark`](Self::unpark).
    pub(super) fn park(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*open {
            open = self.opened.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The same, for a limited time. Says whether it was unparked.
    pub(super) fn park_for(&self, time: Duration) -> bool {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.opened.wait_timeout_while(open, time, |open| !*open);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    pub(super) fn unpark(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    pub(super) fn is_open(&self) -> bool {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
