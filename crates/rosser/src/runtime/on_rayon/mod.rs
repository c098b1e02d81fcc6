//! The execution for production: tasks on rayon's thread pool, on stacks of their own. Bottom up:
//!
//! * [`fiber`]: a stack on which one task after the other runs, until one blocks;
//! * [`home`]: what threads know of one another;
//! * [`worker`]: beginning, suspending, waking and resuming tasks;
//! * [`wait`], [`event`], [`join`]: what tasks wait for;
//! * [`root`], [`native`]: the border to threads that run no task;
//! * [`stalled`]: when nobody can go on.

mod event;
mod fiber;
mod home;
mod isolated;
mod join;
mod native;
mod parker;
mod root;
mod stalled;
mod task;
mod wait;
mod worker;

pub(crate) use self::event::Event;
pub(crate) use self::isolated::isolated;
pub(crate) use self::join::Join;
use crate::runtime;

/// Where in the program something is done: nobody wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Here {
    /// The place of the call.
    #[inline]
    pub(crate) fn now() -> Self {
        Self
    }

    /// A place that the caller knows.
    #[inline]
    pub fn at(_pc: usize) -> Self {
        Self
    }
}

/// As long as it lives, nobody looks. Nobody does anyway.
pub(crate) struct Unseen;

impl Unseen {
    #[inline]
    pub(crate) fn begin() -> Self {
        Self
    }

    /// Does nothing: nobody looks.
    #[inline]
    pub(crate) fn end(self) {
        let Self = self;
    }
}

/// Futures may be shared.
#[inline]
pub(crate) fn share_future(_: Here) {}

/// Does something useful, as long as there is some and the condition holds, on behalf of a task that
/// would otherwise have to wait for something that nobody has begun.
pub(crate) fn help_while(condition: impl Fn() -> bool) {
    if worker::current_fiber().is_some() && !worker::is_isolated() {
        while condition() && worker::help() {}
    }
}

/// Does something at the end of the current task: it is there.
pub(crate) fn at_end(f: impl FnOnce()) {
    f();
}

/// Whether the caller is inside an isolated section.
pub(crate) fn is_isolated() -> bool {
    worker::is_isolated()
}

/// Calls `f` as part of a task: the current one, or, outside any task, one that is made for it.
#[track_caller]
pub(crate) fn enter<R: Send>(what: &str, f: impl FnOnce() -> R + Send) -> R {
    runtime::forbid_in_isolated(what);
    if worker::current_fiber().is_some() { f() } else { root::run(f) }
}
