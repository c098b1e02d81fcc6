//! Waiting where there is no task to suspend.
//!
//! A thread outside any pool simply sleeps. A worker must not: its pool may depend on it. It works
//! for its pool as long as there is work; then it has to sleep in such a way that rayon can wake it
//! for more. Rayon has that: a worker that installs something into *another* pool serves its own
//! until the other is done. So a thread of a pool of one does the sleeping in its place.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

use super::parker::Parker;
use super::worker;
use crate::runtime::threads;

/// Pools of one thread, not in use.
static SITTERS: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// How many workers wait here. See [`worker::wake`].
static WAITING_WORKERS: AtomicUsize = AtomicUsize::new(0);

pub(super) fn waiting_workers() -> usize {
    WAITING_WORKERS.load(Relaxed)
}

/// How often a thread that waits for a task looks whether anybody is left who could run one.
const LOOK: Duration = Duration::from_millis(100);

/// Waits, outside any task, for something that a task is to do. Says whether it was done; if not, every
/// other thread sleeps for good, and so nobody ever will.
pub(super) fn wait_for_task(parker: &Parker) -> bool {
    if rayon_core::current_thread_index().is_some() {
        wait(parker);
        return true;
    }
    let mut asleep = 0;
    while !parker.park_for(LOOK) {
        asleep = if threads::all_others_sleep() { asleep + 1 } else { 0 };
        // One that has just been woken may not run yet.
        if asleep == 3 {
            return false;
        }
    }
    true
}

pub(super) fn wait(parker: &Parker) {
    if rayon_core::current_thread_index().is_none() {
        return parker.park();
    }
    let _waiting = Waiting::begin();
    loop {
        if parker.is_open() {
            return;
        }
        worker::answer_bell();
        if rayon_core::yield_now() != Some(Yield::Executed) {
            break;
        }
    }
    // Tasks that were woken on their own worker are resumed when that worker is through with its
    // current task. If that one waits, in rayon, for the caller, its worker has to be told to look.
    rayon_core::spawn_broadcast(|_| worker::answer_bell());
    match pop_sitter() {
        Ok(sitter) => {
            sitter.install(|| parker.park());
            SITTERS.lock().unwrap_or_else(PoisonError::into_inner).push(sitter);
        }
        // No more threads: better a worker less than no waiting.
        Err(_) => parker.park(),
    }
}

struct Waiting;

impl Waiting {
    fn begin() -> Self {
        WAITING_WORKERS.fetch_add(1, Relaxed);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING_WORKERS.fetch_sub(1, Relaxed);
    }
}

fn pop_sitter() -> Result<ThreadPool, ThreadPoolBuildError> {
    if let Some(idle) = SITTERS.lock().unwrap_or_else(PoisonError::into_inner).pop() {
        return Ok(idle);
    }
    ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "rosser-sitter".to_owned()).build()
}
