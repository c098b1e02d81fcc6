//! Several workers: a task may begin on another thread than the one that forks it, and takes along what was state
//! of that thread.

use crate::context::{self, Split, Splits};
use crate::origin::Origin;
use crate::runtime::TaskFn;
use crate::worker;

/// The level of splitting that a task takes along.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    splits: Splits,
}

/// The level of splitting of the current task.
pub(crate) fn level() -> Level {
    Level { splits: context::splits() }
}

/// While it lives, the current thread is at the level that a task took along.
#[must_use]
pub(crate) struct AtLevel {
    _previous: Split,
}

impl Level {
    /// Goes to the level, in the task that took it along.
    pub(crate) fn resume(self) -> AtLevel {
        AtLevel { _previous: self.splits.resume() }
    }
}

/// The second half of a join, with what it takes along. The first stays where it is.
///
/// It belongs to the call that joins. Only what is not generic looks at it.
pub(crate) struct Second {
    task: TaskFn,
    data: *mut (),
    origin: Origin,
}

impl Second {
    /// A task of the current pool. The caller is in one.
    #[inline(never)]
    pub(crate) fn new(task: TaskFn, data: *mut ()) -> Self {
        Second { task, data, origin: Origin::in_pool(worker::some_pool()) }
    }

    /// The function that runs the task, and the pointer by which it does.
    #[inline(always)]
    pub(crate) fn as_task(&mut self) -> (TaskFn, *mut ()) {
        (Self::run, std::ptr::from_mut(self).cast())
    }

    /// # Safety
    ///
    /// `data` comes from [`Second::as_task`] of a live value, whose task may be run.
    #[inline(never)]
    unsafe extern "C" fn run(data: *mut ()) {
        // SAFETY: The caller says that it is live. Nobody changes it.
        let this = unsafe { &*data.cast::<Self>() };
        let _resumed = this.origin.resume();
        // SAFETY: By the caller's promise.
        unsafe { (this.task)(this.data) };
    }
}
