//! What can be waited for: the end of a future's task. Promises that are set by hand are for threads outside
//! parallel regions; in a region the runtime stops the program.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;
use std::time::Duration;

use super::detector::{self, Future};
use crate::runtime::{self, Deadlock, Here, Origin, Places, threads};

/// How often a thread looks whether a promise is set.
const LOOK: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(crate) struct Event {
    is_of_task: bool,
    has_happened: AtomicBool,
    /// The task, if its value can be waited for.
    pub(super) future: Future,
}

impl Event {
    /// One that a task of the library lets happen when it ends.
    pub(crate) const fn of_task() -> Self {
        Self::that(true)
    }

    pub(crate) const fn new() -> Self {
        Self::that(false)
    }

    const fn that(is_of_task: bool) -> Self {
        Self { is_of_task, has_happened: AtomicBool::new(false), future: Future::none() }
    }

    /// Whether it has happened.
    #[inline(never)]
    pub(crate) fn has_happened(&self) -> bool {
        self.has_happened.load(Acquire)
    }

    /// Lets it happen.
    #[inline(never)]
    pub(crate) fn happen(&self, here: Here) {
        if !self.is_of_task {
            detector::promise(here);
        }
        self.has_happened.store(true, Release);
    }

    /// Somebody tries to let it happen although it has happened.
    #[inline(never)]
    #[allow(clippy::unused_self, reason = "others tell where it happened")]
    pub(crate) fn happen_again(&self, here: Here) {
        detector::promise(here);
    }

    /// Waits until it has happened.
    #[inline(always)]
    pub(crate) fn wait(
        &self,
        places: impl FnOnce() -> Places,
        origin: Origin,
        here: Here,
    ) -> Result<(), Arc<Deadlock>> {
        self.wait_at(places(), origin, here)
    }

    #[inline(never)]
    fn wait_at(&self, places: Places, origin: Origin, here: Here) -> Result<(), Arc<Deadlock>> {
        if self.is_of_task {
            if !self.future.is_done() {
                runtime::forbid_in_isolated_at("wait for a promise", places.waits_at);
            }
            self.future.get(here);
            return Ok(());
        }
        detector::promise(here);
        while !self.has_happened() {
            if origin == Origin::Tasks && threads::all_others_sleep() {
                return Err(Deadlock::new(iter::once(places)));
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }
}
