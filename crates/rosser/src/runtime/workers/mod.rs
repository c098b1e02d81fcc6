//! The execution under `cargo rosser` with several workers: tasks on the runtime's workers, each on top of
//! what its worker has to wait with.
//!
//! * [`detector`]: what the runtime is asked for;
//! * [`join`]: tasks that are waited for together;
//! * [`event`]: the ends of futures, and promises, which are not admitted;
//! * [`isolated`]: one lock for all.
//!
//! No task is put aside, so none can wait for anything but tasks that it has started, and futures. The
//! runtime stops a program that does otherwise. As in `serial`, nothing here is instrumented:
//! functions that are compiled with the program touch nothing of what tasks share.

mod detector;
mod event;
mod isolated;
mod join;

pub(crate) use self::event::Event;
pub(crate) use self::isolated::{is_isolated, isolated};
pub(crate) use self::join::Join;
use crate::runtime::{self, Here};

/// Shared futures are not admitted: one that is got more than once orders more than the runtime can follow.
#[inline(always)]
pub(crate) fn share_future(here: Here) {
    detector::promise(here);
}

/// Whoever gets a future that nobody has begun runs it.
#[inline(always)]
pub(crate) fn help_while(_: impl Fn() -> bool) {}

/// Calls `f`, in which tasks can be started.
#[inline(always)]
#[track_caller]
pub(crate) fn enter<R: Send>(what: &str, f: impl FnOnce() -> R + Send) -> R {
    runtime::forbid_in_isolated(what);
    f()
}

/// Does something at the end of the current task: it is there. Whoever waits for the task does so until
/// the runtime knows of its end.
pub(crate) fn at_end(f: impl FnOnce()) {
    f();
}
