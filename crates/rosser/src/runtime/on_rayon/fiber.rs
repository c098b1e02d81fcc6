//! Fibers whose tasks run on rayon's threads.
#![allow(unsafe_code, reason = "fibers are referred to by pointers")]

use std::cell::Cell;
use std::ptr;
use std::sync::Arc;

use super::home::Home;
use super::root::Root;
use super::task::Task;
use super::wait::Stops;
use super::worker;
use crate::runtime::fiber::{self, Execution};
use crate::runtime::stack::{OutOfStacks, Stack};

/// Why a fiber came back.
pub(super) enum Pause {
    /// Its task has ended; it wants another.
    Vacant,
    /// Its task is blocked.
    Blocked(Stops),
}

/// What is remembered with a fiber.
pub(super) struct State {
    /// The thread that the fiber belongs to.
    pub(super) home: Arc<Home>,
    /// The root of the task that the fiber runs. Written by its own thread while it runs.
    root: Cell<*const Root>,
}

/// The execution on rayon's threads.
pub(super) struct OnRayon;

impl Execution for OnRayon {
    type Task = Task;
    type Pause = Pause;
    type State = State;

    fn current() -> Option<FiberRef> {
        worker::current_fiber()
    }

    fn run(task: Task) -> Pause {
        task.run();
        Pause::Vacant
    }
}

/// A fiber that is referred to.
pub(super) type FiberRef = fiber::FiberRef<OnRayon>;

// SAFETY: other threads only pass it on, and read `home` and `root` while the fiber's task is
// blocked: these were written before, and the task was made known to the other thread after that.
unsafe impl Send for FiberRef {}
// SAFETY: as above.
unsafe impl Sync for FiberRef {}

impl FiberRef {
    /// A new fiber of the calling thread.
    pub(super) fn of(home: &Arc<Home>) -> Result<Self, OutOfStacks> {
        let state = State { home: Arc::clone(home), root: Cell::new(ptr::null()) };
        Ok(Self::new(Stack::allocate()?, state))
    }

    /// The root of the fiber's task. It lives as long as the task.
    ///
    /// # Safety
    /// The fiber must have a task that does not end or go on meanwhile.
    pub(super) unsafe fn root(self) -> *const Root {
        // SAFETY: as the caller promises.
        unsafe { self.get() }.root.get()
    }

    /// Runs a task until it ends or blocks.
    ///
    /// # Safety
    /// The fiber must be vacant and belong to the calling thread.
    pub(super) unsafe fn start(self, task: Task) -> Pause {
        // SAFETY: the fiber is ours, so it lives.
        unsafe { self.get() }.root.set(task.root());
        // SAFETY: as the caller promises.
        unsafe { self.run(task) }
    }
}
