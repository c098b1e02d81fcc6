//! What other threads may know of a thread: its ledger, its inbox, and who is blocked on it.
//!
//! # The ledger
//!
//! A *turn* is a stretch of work of one task: from its start, or from its wake-up, until it ends or
//! blocks. A turn is *given* by whoever spawns or wakes the task, *taken* by the worker that runs
//! it, and *stopped* there. Every thread counts its own, in counters that nobody else writes, so
//! keeping them costs no synchronisation.
//!
//! Nothing is left to run if every turn that was given has been taken, and every turn taken has
//! stopped. [`Homes::quiescent`] reads first what was taken and stopped, then what was given. A turn
//! seen as taken was given before, so it is seen as given too; hence equal numbers mean the same
//! turns. A turn whose giving was *not* seen was given by a turn that had not been seen to stop, and
//! that was not taken either, and so on up to a root task that some thread is only about to
//! start. So a positive answer is true of one moment, without stopping anybody.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fiber::FiberRef;
use super::wait::{Stops, Wait};

/// The homes of all threads that have something to do with tasks.
static HOMES: Mutex<Homes> = Mutex::new(Homes { living: Vec::new(), retired: 0 });

/// Counts changes of [`HOMES`], so that threads can keep copies of it.
static VERSION: AtomicU64 = AtomicU64::new(0);

/// Whether a task was ever blocked: what spares other programs the check for deadlocks.
static EVER_BLOCKED: AtomicBool = AtomicBool::new(false);

/// A counter that only its own thread writes.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn count(&self) {
        // A plain addition will do: there is no other writer. Release, so that whoever sees the
        // count sees everything that was counted before.
        self.0.store(self.0.load(Relaxed) + 1, Release);
    }
}

/// A task that has been woken, and whether its next turn was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Woken {
    pub(super) fiber: FiberRef,
    pub(super) stops: Stops,
}

/// The part of a thread's state that others may touch. Padded: others poll it.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(super) struct Home {
    pub(super) given: Counter,
    pub(super) taken: Counter,
    pub(super) stopped: Counter,
    /// Tasks that were blocked here and may go on.
    inbox: Mutex<VecDeque<Woken>>,
    /// Whether a bell is under way that will make the thread look into its inbox.
    bell: AtomicBool,
    /// The tasks that are blocked here, waiting for a promise.
    blocked: Mutex<Vec<Arc<Wait>>>,
}

impl Home {
    pub(super) fn register() -> Arc<Home> {
        let home = Arc::new(Home::default());
        let mut homes = Homes::lock();
        homes.living.push(Arc::clone(&home));
        VERSION.fetch_add(1, Relaxed);
        home
    }

    /// Called when the thread ends. What it gave to others stays counted.
    pub(super) fn retire(self: &Arc<Home>) {
        let mut homes = Homes::lock();
        homes.living.retain(|other| !Arc::ptr_eq(other, self));
        VERSION.fetch_add(1, Relaxed);
        let (given, taken) = (self.given.0.load(Acquire), self.taken.0.load(Acquire));
        homes.retired = homes.retired.wrapping_add(given.wrapping_sub(taken));
    }

    /// Whether no task runs on the home's thread.
    pub(super) fn is_idle(&self) -> bool {
        self.taken.0.load(Relaxed) == self.stopped.0.load(Relaxed)
    }

    pub(super) fn post(&self, woken: Woken) {
        lock(&self.inbox).push_back(woken);
    }

    /// Whether something may have arrived: whoever posts rings a bell. A post that is missed here has
    /// its bell still before it.
    pub(super) fn may_have_post(&self) -> bool {
        self.bell.load(Relaxed)
    }

    /// Moves what has arrived to the end of `ready`.
    pub(super) fn collect(&self, ready: &mut VecDeque<Woken>) {
        ready.append(&mut lock(&self.inbox));
    }

    /// Whether a bell has to be rung. Of several wake-ups in a row only the first has to.
    pub(super) fn take_bell_rope(&self) -> bool {
        !self.bell.swap(true, AcqRel)
    }

    /// The bell has been heard: what is posted from now on needs another.
    pub(super) fn release_bell_rope(&self) {
        // AcqRel, against `take_bell_rope`: whoever left the ringing to this bell has posted before.
        self.bell.swap(false, AcqRel);
    }

    pub(super) fn add_blocked(&self, wait: &Arc<Wait>) {
        let mut blocked = lock(&self.blocked);
        if !EVER_BLOCKED.load(Relaxed) {
            EVER_BLOCKED.store(true, Relaxed);
        }
        wait.slot.store(blocked.len(), Relaxed);
        blocked.push(Arc::clone(wait));
    }

    pub(super) fn remove_blocked(&self, wait: &Wait) {
        let mut blocked = lock(&self.blocked);
        let slot = wait.slot.load(Relaxed);
        blocked.swap_remove(slot);
        if let Some(moved) = blocked.get(slot) {
            moved.slot.store(slot, Relaxed);
        }
    }
}

/// A thread's copy of the list of homes: a look at the others that costs no lock.
#[derive(Default)]
pub(super) struct Neighbours {
    version: u64,
    homes: Vec<Arc<Home>>,
}

impl Neighbours {
    /// Whether no task seems to run anywhere, though some have been blocked. Called by a thread that
    /// has just stopped its last turn; of several that do so at the same time, the fence lets at least
    /// one see that all have. A thread missing in the copy is new, and will ask in its turn.
    pub(super) fn seem_idle(&mut self) -> bool {
        fence(SeqCst);
        if !EVER_BLOCKED.load(Relaxed) {
            return false;
        }
        if self.version != VERSION.load(Relaxed) {
            let homes = Homes::lock();
            self.version = VERSION.load(Relaxed);
            self.homes.clone_from(&homes.living);
        }
        self.homes.iter().all(|home| home.is_idle())
    }
}

/// All homes, locked: threads neither come nor go meanwhile.
pub(super) struct Homes {
    living: Vec<Arc<Home>>,
    /// Turns given minus turns taken by threads that have ended.
    retired: u64,
}

impl Homes {
    pub(super) fn lock() -> MutexGuard<'static, Homes> {
        lock(&HOMES)
    }

    /// Whether there was a moment, since the call, in which no task was running or could run.
    pub(super) fn quiescent(&self) -> bool {
        let mut taken = 0_u64;
        for home in &self.living {
            let stopped = home.stopped.0.load(Acquire);
            let begun = home.taken.0.load(Acquire);
            if begun != stopped {
                return false;
            }
            taken = taken.wrapping_add(begun);
        }
        let given = self.living.iter().map(|home| home.given.0.load(Acquire));
        given.fold(self.retired, u64::wrapping_add) == taken
    }

    /// Every blocked task of every home.
    pub(super) fn blocked(&self) -> Vec<Arc<Wait>> {
        self.living.iter().flat_map(|home| lock(&home.blocked).clone()).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
