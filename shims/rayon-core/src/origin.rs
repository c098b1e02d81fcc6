//! What a task takes along from the one that forks it.
//!
//! Which pool the current task belongs to, and how often it has been split, is state of the thread
//! (`worker`, `context`). With several workers a task may begin on another thread, or on top of an
//! unrelated task that waits. So it begins by putting its own state in place, and ends by bringing
//! back what was there.

use crate::backend::{self, AtLevel, Level};
use crate::registry::RegistryRef;
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
        Origin { worker: worker::place_in(registry), level: backend::level() }
    }

    /// For a task of a pool that nothing waits for.
    #[inline(never)]
    pub(crate) fn spawned(registry: RegistryRef) -> Self {
        Origin { worker: worker::place_of_spawned(registry), level: backend::level() }
    }

    /// For one call of a broadcast: a task that is the thread of this number.
    #[inline(never)]
    pub(crate) fn at(registry: RegistryRef, index: usize) -> Self {
        Origin { worker: Worker::at(registry, index), level: backend::level() }
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
