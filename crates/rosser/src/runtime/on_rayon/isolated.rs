//! The one lock that all isolated sections share.

use std::sync::{Mutex, PoisonError};

use super::{Here, worker};

static ISOLATED: Mutex<()> = Mutex::new(());

/// Runs `section` while no other thread runs one. A section within a section is part of it.
pub(crate) fn isolated<R>(_: Here, section: impl FnOnce() -> R) -> R {
    // In this order, so that what was postponed is made up for when the lock has been released.
    let Some(_mark) = worker::enter_isolated() else { return section() };
    let _lock = ISOLATED.lock().unwrap_or_else(PoisonError::into_inner);
    section()
}
