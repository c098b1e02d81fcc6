//! The one lock that all isolated sections share.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::detector;
use crate::runtime::Here;

static ISOLATED: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether the thread is in a section. It runs nothing else meanwhile: a section does not wait.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the caller is inside an isolated section.
#[inline(never)]
pub(crate) fn is_isolated() -> bool {
    INSIDE.get()
}

/// Runs `section` as an isolated one. A section within a section is part of it.
#[inline(always)]
pub(crate) fn isolated<R>(here: Here, section: impl FnOnce() -> R) -> R {
    let _section = Section::begin(here);
    section()
}

/// Ends the section when it is dropped.
struct Section {
    here: Here,
    /// Not to be released where it is dropped, in the program's code: the detector would see it.
    lock: Option<MutexGuard<'static, ()>>,
}

impl Section {
    #[inline(never)]
    fn begin(here: Here) -> Option<Self> {
        (!INSIDE.replace(true)).then(|| {
            let lock = ISOLATED.lock().unwrap_or_else(PoisonError::into_inner);
            detector::isolated_begin(here);
            Self { here, lock: Some(lock) }
        })
    }
}

impl Drop for Section {
    #[inline(never)]
    fn drop(&mut self) {
        detector::isolated_end(self.here);
        INSIDE.set(false);
        self.lock = None;
    }
}
