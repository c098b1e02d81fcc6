//! The way from a thread that runs no task into the pool, and back.
//!
//! A root is one call of `finish` or `procedure` from outside any task. Its body becomes a task; the
//! caller waits. The call stands inside one rayon scope, which ties all its tasks to the pool it was
//! made in, and lets other threads reach that pool.
#![allow(unsafe_code, reason = "the root lives on the stack of the thread that waits for it")]

use std::panic::resume_unwind;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rayon_core::Scope;

use super::parker::Parker;
use super::task::Task;
use super::{native, worker};
use crate::runtime::body::{Body, Payload};

pub(super) struct Root {
    /// Erased: see [`give`](Self::give).
    scope: *const Scope<'static>,
    /// The root task, and the threads that are reaching for the pool. The caller waits for all.
    users: AtomicUsize,
    done: Arc<Parker>,
    panic: Mutex<Option<Payload>>,
    /// Whether a worker of the pool waits for it.
    pub(super) awaited_by_worker: bool,
}

// SAFETY: rayon's scopes may be used from every thread while they are open.
unsafe impl Sync for Root {}
// SAFETY: the same.
unsafe impl Send for Root {}

/// Runs `body` as a task of its own and waits for it.
pub(super) fn run<R: Send>(body: impl FnOnce() -> R + Send) -> R {
    let mut result = None;
    let panic = rayon_core::in_place_scope(|scope| {
        let root = Root {
            scope: std::ptr::from_ref(scope).cast(),
            users: AtomicUsize::new(1),
            done: Arc::default(),
            panic: Mutex::default(),
            awaited_by_worker: rayon_core::current_thread_index().is_some(),
        };
        let body: Body<'_> = Box::new(|| result = Some(body()));
        // SAFETY: what is borrowed is on this stack, and the root is waited for below.
        let task = unsafe { Task::of_root(body, &raw const root) };
        root.start(task);
        native::wait(&root.done);
        root.panic.into_inner().unwrap_or_else(PoisonError::into_inner)
    });
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
    result.expect("a task that has not panicked has a result")
}

impl Root {
    fn start(&self, task: Task) {
        worker::note_given();
        if self.awaited_by_worker {
            worker::begin(task);
        } else {
            self.submit(move || worker::begin(task));
        }
    }

    /// Lets some worker of the pool do a turn.
    pub(super) fn give(&self, turn: impl FnOnce() + Send + 'static) {
        worker::note_given();
        self.submit(turn);
    }

    fn submit(&self, job: impl FnOnce() + Send + 'static) {
        // SAFETY: the scope is open until `run` has waited for all tasks and users.
        unsafe { &*self.scope }.spawn(move |_| job());
    }

    /// Makes every worker of the pool look into its inbox, from any thread.
    pub(super) fn ring(&self) {
        // SAFETY: as in `submit`.
        unsafe { &*self.scope }.spawn_broadcast(|_, _| worker::answer_bell());
    }

    /// Keeps the root from being torn down, even if all its tasks end meanwhile.
    pub(super) fn hold(&self) -> Hold {
        self.users.fetch_add(1, Relaxed);
        Hold(self)
    }

    /// # Safety
    /// To be called by the root task, when it has nothing left to do. The root may then be gone.
    pub(super) unsafe fn task_ended(this: *const Self, panic: Option<Payload>) {
        // SAFETY: the root task is a user.
        let root = unsafe { &*this };
        if let Some(payload) = panic {
            *root.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
        }
        // SAFETY: the root task is a user until here.
        unsafe { Self::leave(this) }
    }

    /// # Safety
    /// The caller must be a user, and is none afterwards.
    unsafe fn leave(this: *const Self) {
        // SAFETY: the caller is a user, so the root lives; the parker lives on its own.
        let (users, done) = unsafe { (&(*this).users, Arc::clone(&(*this).done)) };
        // AcqRel: everything any user did is before the caller of `run` goes on.
        if users.fetch_sub(1, AcqRel) == 1 {
            done.unpark();
        }
    }
}

/// A user of a root.
pub(super) struct Hold(*const Root);

impl Hold {
    pub(super) fn root(&self) -> &Root {
        // SAFETY: the hold is a user.
        unsafe { &*self.0 }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // SAFETY: the hold is a user, until now.
        unsafe { Root::leave(self.0) }
    }
}
