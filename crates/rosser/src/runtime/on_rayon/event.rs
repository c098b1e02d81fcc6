//! Something that happens once, and tasks that wait for it: the heart of a promise.
//!
//! One word: the list of those who wait, or the mark that there is nothing to wait for any more. A
//! million promises are a million words plus their values.
#![allow(unsafe_code, reason = "the list owns reference counts through raw pointers")]

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::wait::{Sleeper, Stops, Wait};
use super::{Here, native, worker};
use crate::runtime::{self, Deadlock, Origin, Places};

/// Marks an event that has happened.
const HAPPENED: *mut Wait = ptr::without_provenance_mut(1);

#[derive(Debug)]
pub(crate) struct Event {
    /// Null, `HAPPENED`, or a list of `Arc<Wait>`, each a reference count of its own.
    head: AtomicPtr<Wait>,
}

impl Event {
    /// One that a task of the library lets happen when it ends. Here it is like any other.
    pub(crate) const fn of_task() -> Self {
        Self::new()
    }

    pub(crate) const fn new() -> Self {
        Self { head: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Whether it has happened. If so, everything before [`happen`](Self::happen) is visible.
    #[inline]
    pub(crate) fn has_happened(&self) -> bool {
        self.head.load(Acquire) == HAPPENED
    }

    /// Lets it happen and wakes those who wait, in the order in which they began to.
    pub(crate) fn happen(&self, _: Here) {
        let mut waiting = take_list(self.head.swap(HAPPENED, AcqRel));
        waiting.reverse();
        for wait in waiting {
            wait.wake(None);
        }
    }

    /// Somebody tries to let it happen although it has happened.
    #[expect(clippy::unused_self, reason = "it is the detector that wants to know")]
    pub(crate) fn happen_again(&self, _: Here) {}

    /// Waits until it has happened: a task is suspended and its worker goes on with others, any other
    /// thread sleeps.
    #[inline]
    pub(crate) fn wait(
        &self,
        places: impl FnOnce() -> Places,
        origin: Origin,
        _: Here,
    ) -> Result<(), Arc<Deadlock>> {
        if self.has_happened() { Ok(()) } else { self.wait_for_it(places(), origin) }
    }

    #[cold]
    fn wait_for_it(&self, places: Places, origin: Origin) -> Result<(), Arc<Deadlock>> {
        runtime::forbid_in_isolated_at("wait for a promise", places.waits_at);
        let Some(fiber) = worker::current_fiber() else {
            let wait = Wait::new(Sleeper::Thread(super::parker::Parker::default()), places);
            if self.enlist(&wait) {
                let Sleeper::Thread(parker) = &wait.sleeper else { unreachable!("made above") };
                match origin {
                    Origin::Tasks if !native::wait_for_task(parker) => {
                        return Err(Deadlock::new([places].into_iter()));
                    }
                    Origin::Tasks => {}
                    Origin::Outside => native::wait(parker),
                }
            }
            return Ok(());
        };
        match origin {
            Origin::Tasks => {
                let wait = Wait::new(Sleeper::Task(fiber, Stops::Counted), places);
                worker::with_blocked(&wait, || {
                    if self.enlist(&wait) {
                        worker::suspend(Stops::Counted);
                    }
                });
                wait.deadlock.get().map_or(Ok(()), |deadlock| Err(Arc::clone(deadlock)))
            }
            Origin::Outside => {
                if self.enlist(&Wait::new(Sleeper::Task(fiber, Stops::Uncounted), places)) {
                    worker::suspend(Stops::Uncounted);
                }
                Ok(())
            }
        }
    }

    /// Puts a wait into the list, if the event has not happened.
    fn enlist(&self, wait: &Arc<Wait>) -> bool {
        let mut head = self.head.load(Acquire);
        let node = Arc::into_raw(Arc::clone(wait)).cast_mut();
        while head != HAPPENED {
            wait.next.store(head, Relaxed);
            // Release: whoever takes the list sees the node. Acquire: see `has_happened`.
            match self.head.compare_exchange_weak(head, node, Release, Acquire) {
                Ok(_) => return true,
                Err(newer) => head = newer,
            }
        }
        // SAFETY: the count was made above and nobody has seen it.
        drop(unsafe { Arc::from_raw(node) });
        false
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // Left over by tasks that did not wait to the end, because of a deadlock.
        drop(take_list(*self.head.get_mut()));
    }
}

/// The waits of a list that has been taken out of its event, last first.
fn take_list(mut head: *mut Wait) -> Vec<Arc<Wait>> {
    let mut list = Vec::new();
    while !head.is_null() && head != HAPPENED {
        // SAFETY: the list has a reference count per node, and it is ours alone.
        let wait = unsafe { Arc::from_raw(head) };
        head = wait.next.load(Relaxed);
        list.push(wait);
    }
    list
}
