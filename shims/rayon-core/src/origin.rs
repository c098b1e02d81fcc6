//! What a task takes along from the one that forks it.
//!
//! Which pool the current task belongs to, and how often it has been split, is state of the thread
//! (`worker`, `context`). With several workers a task may begin on another thread, or on top of an
//! unrelated task that waits. So it begins by putting its own state in place, and ends by bringing
//! back what was there.

use crate::context::{self, AtLevel, Level};
use crate::registry::RegistryRef;
#[cfg(rosser_parallel)]
use crate::runtime::TaskFn;
use crate::worker::{self, Forking, InPool, Worker};

/// The state of the thread with which a task begins.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    worker: Worker,
    level: Level,
}

impl Origin {
    /// For a task of a pool. If the current task belongs to the same one, both have one number.
    #[inline(never)]
    pub(crate) fn in_pool(registry: RegistryRef) -> Self {
        Origin { worker: worker::place_in(registry), level: context::level() }
    }

    /// For a task of a pool that nothing waits for.
    #[inline(never)]
    pub(crate) fn spawned(registry: RegistryRef) -> Self {
        Origin { worker: worker::place_of_spawned(registry), level: context::level() }
    }

    /// For one call of a broadcast: a task that is the thread of this number.
    #[inline(never)]
    pub(crate) fn at(registry: RegistryRef, index: usize) -> Self {
        Origin { worker: Worker::at(registry, index), level: context::level() }
    }

    /// Puts the state in place, at the beginning of the task.
    #[inline(never)]
    pub(crate) fn resume(&self) -> Resumed {
        Resumed { _level: self.level.resume(), _inside: worker::enter_as(self.worker) }
    }

    /// To be called before the task is forked, and kept until it has been.
    #[inline(never)]
    pub(crate) fn fork(&self) -> Forking {
        worker::fork_as(self.worker)
    }
}

/// While it lives, the thread's state is the current task's own.
#[must_use]
pub(crate) struct Resumed {
    _level: AtLevel,
    _inside: InPool,
}

/// The second half of a join, with what it takes along. The first stays where it is.
///
/// It belongs to the call that joins. Only what is not generic looks at it.
#[cfg(rosser_parallel)]
pub(crate) struct Movable {
    task: TaskFn,
    data: *mut (),
    origin: Origin,
}

#[cfg(rosser_parallel)]
impl Movable {
    /// A task of the current pool. The caller is in one.
    #[inline(never)]
    pub(crate) fn new(task: TaskFn, data: *mut ()) -> Self {
        Movable { task, data, origin: Origin::in_pool(worker::some_pool()) }
    }

    /// The function that runs the task, and the pointer by which it does.
    #[inline(always)]
    pub(crate) fn as_task(&mut self) -> (TaskFn, *mut ()) {
        (Self::run, std::ptr::from_mut(self).cast())
    }

    /// # Safety
    ///
    /// `data` comes from [`Movable::as_task`] of a live value, whose task may be run.
    #[inline(never)]
    unsafe extern "C" fn run(data: *mut ()) {
        // SAFETY: The caller says that it is live. Nobody changes it.
        let this = unsafe { &*data.cast::<Self>() };
        let _resumed = this.origin.resume();
        // SAFETY: By the caller's promise.
        unsafe { (this.task)(this.data) };
    }
}
