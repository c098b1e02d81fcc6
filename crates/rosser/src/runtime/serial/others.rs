//! Threads that run tasks, seen from one another.
//!
//! As a rule there is one. When all its tasks wait, what they wait for can come only from another
//! thread; if there is none that could still do anything, it never will.

use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::fiber::FiberRef;

/// How many threads are inside a finish or procedure and can go on.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// How many tasks wait for something from outside.
static WAITING_FOR_OUTSIDE: AtomicUsize = AtomicUsize::new(0);

/// How often a thread with nothing to do looks whether the others have come to rest.
const LOOK: Duration = Duration::from_millis(50);

/// Tasks of a thread that another has let go on.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    post: Mutex<Post>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct Post {
    tasks: VecDeque<FiberRef>,
    /// That what the thread itself waits for may have happened.
    knocked: bool,
}

impl Inbox {
    fn post(&self) -> MutexGuard<'_, Post> {
        self.post.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, fiber: FiberRef) {
        self.post().tasks.push_back(fiber);
        self.arrived.notify_all();
    }

    pub(super) fn knock(&self) {
        self.post().knocked = true;
        self.arrived.notify_all();
    }

    pub(super) fn take(&self) -> Option<FiberRef> {
        self.post().tasks.pop_front()
    }

    /// Waits for post, for a while.
    pub(super) fn sleep(&self) {
        let mut post = self.post();
        if post.tasks.is_empty() && !post.knocked {
            let timed = self.arrived.wait_timeout(post, LOOK);
            post = timed.unwrap_or_else(PoisonError::into_inner).0;
        }
        post.knocked = false;
    }
}

/// As long as it lives, the thread can go on.
pub(super) struct Active;

impl Active {
    pub(super) fn begin() -> Self {
        ACTIVE.fetch_add(1, SeqCst);
        Self
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, SeqCst);
    }
}

/// As long as it lives, a task waits for something from outside.
pub(super) struct WaitsForOutside;

impl WaitsForOutside {
    pub(super) fn begin() -> Self {
        WAITING_FOR_OUTSIDE.fetch_add(1, SeqCst);
        Self
    }
}

impl Drop for WaitsForOutside {
    fn drop(&mut self) {
        WAITING_FOR_OUTSIDE.fetch_sub(1, SeqCst);
    }
}

/// Whether no task will ever do anything again. To be asked by a thread that cannot go on.
pub(super) fn nothing_goes_on() -> bool {
    ACTIVE.load(SeqCst) == 0 && WAITING_FOR_OUTSIDE.load(SeqCst) == 0
}

/// Asks while the calling thread, which is inside a finish or procedure, counts as unable to go on.
pub(super) fn while_inactive<R>(ask: impl FnOnce() -> R) -> R {
    ACTIVE.fetch_sub(1, SeqCst);
    let answer = ask();
    ACTIVE.fetch_add(1, SeqCst);
    answer
}
