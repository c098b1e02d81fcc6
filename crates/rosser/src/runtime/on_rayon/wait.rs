//! One blocked task, or thread: who is to be woken, and where it waits.

use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize};
use std::sync::{Arc, OnceLock};

use super::fiber::FiberRef;
use super::parker::Parker;
use super::worker;
use crate::runtime::deadlock::{Deadlock, Places};

#[derive(Debug)]
pub(super) enum Sleeper {
    /// A task, and whether it counts as stopped meanwhile: not if it waits for the outside world.
    Task(FiberRef, Stops),
    Thread(Parker),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    Counted,
    Uncounted,
}

/// Shared between the event that is waited for, the list of what is blocked, and the sleeper.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) sleeper: Sleeper,
    pub(super) places: Places,
    /// Set by whoever wakes the sleeper: the event, or the finding of a deadlock. Not both.
    claimed: AtomicBool,
    /// Set before the wake-up if it is a deadlock.
    pub(super) deadlock: OnceLock<Arc<Deadlock>>,
    /// Links the waits for one event.
    pub(super) next: AtomicPtr<Wait>,
    /// The index in the home's list, guarded by that list's lock.
    pub(super) slot: AtomicUsize,
}

impl Wait {
    pub(super) fn new(sleeper: Sleeper, places: Places) -> Arc<Self> {
        Arc::new(Self {
            sleeper,
            places,
            claimed: AtomicBool::new(false),
            deadlock: OnceLock::new(),
            next: AtomicPtr::new(ptr::null_mut()),
            slot: AtomicUsize::new(0),
        })
    }

    pub(super) fn is_claimed(&self) -> bool {
        self.claimed.load(Acquire)
    }

    /// Wakes the sleeper, unless somebody else does.
    pub(super) fn wake(&self, deadlock: Option<&Arc<Deadlock>>) {
        if self.claimed.compare_exchange(false, true, AcqRel, Relaxed).is_err() {
            return;
        }
        if let Some(deadlock) = deadlock {
            let unset = self.deadlock.set(Arc::clone(deadlock));
            debug_assert!(unset.is_ok(), "only the claimer writes");
        }
        match &self.sleeper {
            Sleeper::Task(fiber, stops) => worker::wake(*fiber, *stops),
            Sleeper::Thread(parker) => parker.unpark(),
        }
    }
}
