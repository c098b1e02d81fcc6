//! One worker: the thread that forks a task runs it, at once. Its state is in place already, so nothing is taken
//! along.

use crate::runtime::TaskFn;

/// The level of splitting that a task takes along.
#[derive(Clone, Copy)]
pub(crate) struct Level;

/// The level of splitting of the current task.
pub(crate) fn level() -> Level {
    Level
}

/// While it lives, the current thread is at the level that a task took along.
#[must_use]
pub(crate) struct AtLevel;

impl Level {
    /// Goes to the level, in the task that took it along.
    #[allow(clippy::unused_self, reason = "as on several workers")]
    pub(crate) fn resume(self) -> AtLevel {
        AtLevel
    }
}

/// The second half of a join.
pub(crate) struct Second {
    task: TaskFn,
    data: *mut (),
}

impl Second {
    #[inline(always)]
    pub(crate) fn new(task: TaskFn, data: *mut ()) -> Self {
        Second { task, data }
    }

    /// The function that runs the task, and the pointer by which it does.
    #[inline(always)]
    pub(crate) fn as_task(&mut self) -> (TaskFn, *mut ()) {
        (self.task, self.data)
    }
}
