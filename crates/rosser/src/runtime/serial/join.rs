//! Tasks that are waited for together: what a finish, a scope and a procedure have in common.
#![allow(unsafe_code, reason = "tasks reach the join through a pointer")]

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::detector;
use super::event::Event;
use super::executor;
use super::fiber::FiberRef;
use super::others::Inbox;
use crate::runtime::body::{Body, Payload, forget_lifetime};
use crate::runtime::{self, Here};

/// Stands for the scope of a join that has been waited for.
const ENDED: u64 = 0;

pub(crate) struct Join {
    /// By which the detector knows it.
    scope: AtomicU64,
    /// The scope around it in the same task.
    outer: u64,
    /// Whether there is another around it, which waits for its tasks as well.
    is_within: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The tasks that have not ended.
    pending: usize,
    owner: Option<Owner>,
    /// The first panic of a task.
    panic: Option<Payload>,
}

/// Who waits.
enum Owner {
    Task(FiberRef),
    /// On the thread's own stack.
    Thread(Arc<Inbox>),
}

impl Join {
    /// A join of the current task.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let scope = detector::scope_begin();
        Self {
            scope: AtomicU64::new(scope),
            outer: executor::replace_innermost(scope),
            is_within: false,
            state: Mutex::default(),
        }
    }

    /// A join within another.
    #[inline(never)]
    pub(crate) fn within(_: &Join) -> Self {
        Self { is_within: true, ..Self::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        _: Option<&Event>,
        body: impl FnOnce() + Send + 'a,
        here: Here,
    ) {
        // SAFETY: as the caller promises.
        unsafe { self.spawn_boxed(scope, Box::new(body), here) }
    }

    /// # Safety
    /// As for [`spawn`](Self::spawn).
    #[inline(never)]
    #[track_caller]
    unsafe fn spawn_boxed(&self, scope: Option<&Join>, body: Body<'_>, here: Here) {
        runtime::forbid_in_isolated("start a task");
        self.add();
        let scope = scope.unwrap_or(self).scope.load(Relaxed);
        // SAFETY: counted above; the body is neither called nor dropped after the join has been told.
        unsafe { executor::start(forget_lifetime(body), self, scope, here) }
    }

    /// Waits until every task has ended, and those they have spawned.
    #[inline(never)]
    pub(crate) fn wait(&self) {
        // It is open as long as tasks are waited for: they may start others.
        let scope = self.scope.load(Relaxed);
        if scope == ENDED {
            return;
        }
        let inner = executor::replace_innermost(scope);
        assert!(
            inner == scope || !self.is_within,
            "`cargo rosser` cannot follow scopes that end before others that were begun after them \
             in the same task: end the inner one first"
        );
        if let Some(fiber) = executor::current_fiber() {
            let mut state = self.state();
            if state.pending > 0 {
                state.owner = Some(Owner::Task(fiber));
                drop(state);
                executor::wait_on(fiber);
            }
        } else {
            let mut state = self.state();
            if state.pending > 0 {
                state.owner = Some(Owner::Thread(executor::inbox()));
                drop(state);
                executor::wait_on_thread(|| self.state().pending == 0, None);
            }
        }
        self.scope.store(ENDED, Relaxed);
        executor::replace_innermost(self.outer);
        detector::scope_end(scope);
    }

    /// The owner will start more tasks after having waited.
    #[inline(never)]
    pub(crate) fn reopen(&self) {
        let scope = detector::scope_begin();
        executor::replace_innermost(scope);
        self.scope.store(scope, Relaxed);
    }

    #[inline(never)]
    pub(crate) fn take_panic(&self) -> Option<Payload> {
        self.state().panic.take()
    }

    /// Notes a panic, unless there was one before.
    #[inline(never)]
    pub(crate) fn note_panic(&self, payload: Payload) {
        self.state().panic.get_or_insert(payload);
    }

    /// Tells the join that a task has ended. Returns who goes on for that.
    ///
    /// # Safety
    /// `this` must count the task. It may be gone afterwards.
    pub(super) unsafe fn task_ended(this: *const Self, panic: Option<Payload>) -> Option<FiberRef> {
        // SAFETY: counted, so it lives.
        let mut state = unsafe { &*this }.state();
        if let Some(payload) = panic {
            state.panic.get_or_insert(payload);
        }
        state.pending -= 1;
        if state.pending > 0 {
            return None;
        }
        match state.owner.take()? {
            Owner::Task(fiber) if is_ours(fiber) => Some(fiber),
            Owner::Task(fiber) => {
                executor::wake(fiber);
                None
            }
            Owner::Thread(inbox) => {
                inbox.knock();
                None
            }
        }
    }

    /// Counts something that is not spawned here but waited for here.
    #[inline(never)]
    pub(crate) fn add(&self) {
        self.state().pending += 1;
    }

    /// The counterpart of [`add`](Self::add).
    #[inline(never)]
    pub(crate) fn remove(&self, panic: Option<Payload>) {
        // SAFETY: `add` has counted the caller.
        if let Some(owner) = unsafe { Self::task_ended(self, panic) } {
            executor::resume(owner);
        }
    }
}

/// Whether a fiber belongs to the calling thread.
fn is_ours(fiber: FiberRef) -> bool {
    // SAFETY: a fiber whose task waits lives.
    Arc::ptr_eq(unsafe { &fiber.get().inbox }, &executor::inbox())
}
