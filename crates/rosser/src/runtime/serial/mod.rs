//! The execution under `cargo rosser`: one task at a time, each told to the detector.
//!
//! A task runs as soon as it is spawned, before its parent goes on. One that has to wait is put aside
//! and whoever started or resumed it goes on; when a promise is set, the tasks that wait for it run at
//! once, in the order in which they began to wait (Jin et al. 2023, section 4.2). The detector answers
//! for all other orders.
//!
//! * [`detector`]: what it is told;
//! * [`fiber`]: a stack on which one task after the other runs, until one waits;
//! * [`executor`]: starting, putting aside and resuming tasks of a thread;
//! * [`event`], [`join`]: what tasks wait for;
//! * [`others`]: threads that run tasks beside one another, and when nobody can go on.
//!
//! The detector checks one thread. Tasks of others run in the same way, each on its own thread, and the
//! verdict names them. Nothing here is instrumented: functions that are compiled with the program,
//! because they are generic or always inlined, touch nothing of what tasks share.

mod detector;
mod event;
mod executor;
mod fiber;
mod join;
mod others;

pub(crate) use self::event::Event;
pub(crate) use self::join::Join;
use crate::runtime::{self, Here};

/// Futures may be shared.
#[inline(always)]
pub(crate) fn share_future(_: Here) {}

/// A future's task has always begun.
#[inline(always)]
pub(crate) fn help_while(_: impl Fn() -> bool) {}

/// Whether the caller is inside an isolated section.
pub(crate) fn is_isolated() -> bool {
    executor::is_isolated()
}

/// Calls `f`, in which tasks can be started.
#[inline(always)]
#[track_caller]
pub(crate) fn enter<R: Send>(what: &str, f: impl FnOnce() -> R + Send) -> R {
    runtime::forbid_in_isolated(what);
    let _inside = executor::enter();
    f()
}

/// Does something when the current task has ended, and the detector knows.
pub(crate) fn at_end(f: impl FnOnce() + 'static) {
    executor::at_end(Box::new(f));
}

/// Runs `section` as an isolated one. A section within a section is part of it.
#[inline(always)]
pub(crate) fn isolated<R>(here: Here, section: impl FnOnce() -> R) -> R {
    let _section = executor::begin_isolated(here);
    section()
}
