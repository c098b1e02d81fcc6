//! Tasks that are waited for together: what a finish, a scope and a procedure have in common.
#![allow(unsafe_code, reason = "tasks reach the join through a pointer")]

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::detector;
use super::event::Event;
use crate::runtime::body::{Body, Payload, forget_lifetime};
use crate::runtime::{self, Here};

/// Stands for how many scopes were open below a join that has been waited for.
const ENDED: usize = usize::MAX;

thread_local! {
    /// The scopes that are open in the tasks on the thread's stack, innermost last.
    static OPEN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

pub(crate) struct Join {
    /// By which the runtime knows it.
    scope: AtomicU64,
    /// How many scopes were open when it was opened; [`ENDED`] if it was waited for.
    below: AtomicUsize,
    /// Whether there is another around it, which waits for its tasks as well.
    is_within: bool,
    /// The first panic of a task.
    panic: Mutex<Option<Payload>>,
}

/// A task that was started.
struct Task {
    body: Body<'static>,
    join: *const Join,
}

impl Join {
    /// A join of the current task.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let (scope, below) = (AtomicU64::new(0), AtomicUsize::new(ENDED));
        let this = Self { scope, below, is_within: false, panic: Mutex::default() };
        this.reopen();
        this
    }

    /// A join within another.
    #[inline(never)]
    pub(crate) fn within(_: &Join) -> Self {
        Self { is_within: true, ..Self::new() }
    }

    fn panic(&self) -> MutexGuard<'_, Option<Payload>> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a task. It belongs to `scope`, too, if there is one inside the join. The event, if there is
    /// one, is what its value is waited for by.
    ///
    /// # Safety
    /// The caller must be a task of the join or its owner, before the owner waits for the last time.
    /// What the body borrows, and the join itself, must live until a later [`wait`](Self::wait)
    /// has returned.
    #[inline(always)]
    #[track_caller]
    pub(crate) unsafe fn spawn<'a>(
        &self,
        scope: Option<&Join>,
        event: Option<&Event>,
        body: impl FnOnce() + Send + 'a,
        here: Here,
    ) {
        // SAFETY: as the caller promises.
        unsafe { self.spawn_boxed(scope, event, Box::new(body), here) }
    }

    /// # Safety
    /// As for [`spawn`](Self::spawn).
    #[inline(never)]
    #[track_caller]
    unsafe fn spawn_boxed(
        &self,
        scope: Option<&Join>,
        event: Option<&Event>,
        body: Body<'_>,
        here: Here,
    ) {
        runtime::forbid_in_isolated("start a task");
        let scope = scope.unwrap_or(self).scope.load(Relaxed);
        // SAFETY: it is run before the scope ends, and so before the join has been waited for.
        let body = unsafe { forget_lifetime(body) };
        let data = Box::into_raw(Box::new(Task { body, join: self })).cast();
        match event {
            // SAFETY: the data is a task, which is run once.
            Some(event) => unsafe { event.future.spawn(scope, run, data, here) },
            // SAFETY: the same.
            None => unsafe { detector::spawn(scope, run, data, here) },
        }
    }

    /// Waits until every task has ended, and those they have spawned.
    #[inline(never)]
    pub(crate) fn wait(&self) {
        let below = self.below.load(Relaxed);
        if below == ENDED {
            return;
        }
        assert!(
            !self.is_within || below + 1 == opened(),
            "`cargo rosser` cannot follow scopes that end before others that were begun after them \
             in the same task: end the inner one first"
        );
        // Scopes inside that nobody has ended are ended with it. It is open as long as tasks are waited for:
        // they may start others.
        close(below);
        self.below.store(ENDED, Relaxed);
    }

    /// The owner will start more tasks after having waited.
    #[inline(never)]
    pub(crate) fn reopen(&self) {
        let scope = detector::scope_begin();
        self.scope.store(scope, Relaxed);
        self.below.store(opened(), Relaxed);
        OPEN.with_borrow_mut(|open| open.push(scope));
    }

    #[inline(never)]
    pub(crate) fn take_panic(&self) -> Option<Payload> {
        self.panic().take()
    }

    /// Notes a panic, unless there was one before.
    #[inline(never)]
    pub(crate) fn note_panic(&self, payload: Payload) {
        self.panic().get_or_insert(payload);
    }

    /// Counts something that is not spawned here but waited for here: the runtime does.
    #[inline(never)]
    #[allow(clippy::unused_self, reason = "others count")]
    pub(crate) fn add(&self) {}

    /// The counterpart of [`add`](Self::add).
    #[inline(never)]
    pub(crate) fn remove(&self, panic: Option<Payload>) {
        if let Some(payload) = panic {
            self.note_panic(payload);
        }
    }
}

/// How many scopes are open in the tasks on the thread's stack.
fn opened() -> usize {
    OPEN.with_borrow(Vec::len)
}

/// Ends scopes of the current task, the innermost first, until so many are open.
fn close(below: usize) {
    while opened() > below {
        // Tasks that run meanwhile open and end scopes of their own.
        let innermost = OPEN.with_borrow(|open| open.last().copied());
        detector::scope_end(innermost.expect("some are open"));
        OPEN.with_borrow_mut(Vec::pop);
    }
}

/// Runs a task.
///
/// # Safety
/// The data is a [`Task`] that nobody else has, whose join is waited for later.
unsafe extern "C" fn run(data: *mut ()) {
    // SAFETY: as the caller promises.
    let Task { body, join } = *unsafe { Box::from_raw(data.cast::<Task>()) };
    let below = opened();
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        // SAFETY: the join is there as long as tasks of its scope have not ended.
        unsafe { &*join }.note_panic(payload);
    }
    // Scopes that the task has forgotten.
    close(below);
}
