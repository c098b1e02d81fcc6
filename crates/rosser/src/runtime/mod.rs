//! How tasks are executed. The API above knows nothing but what is listed here.
//!
//! | the API needs | it is |
//! |---|---|
//! | to be in a task | [`enter`]: calls a function as part of the current task, or of a new one that is waited for |
//! | tasks that are waited for together | [`Join`]: `spawn`, `wait` |
//! | to wait for something that happens once | [`Event`]: `happen`, `wait` |
//! | mutual exclusion | [`isolated()`], and where it forbids to wait: [`forbid_in_isolated`] |
//! | not to wait for what it could do itself | [`help_while`] |
//!
//! Lifetimes, results and panics are the API's business, and the same whatever executes the
//! tasks. What follows is the execution for production: tasks on rayon's thread pool, on stacks of
//! their own. Bottom up:
//!
//! * [`stack`]: memory for a million stacks;
//! * [`fiber`]: a stack on which one task after the other runs, until one blocks;
//! * [`home`]: what threads know of one another;
//! * [`worker`]: beginning, suspending, waking and resuming tasks;
//! * [`wait`], [`event`], [`join`]: what tasks wait for;
//! * [`root`], [`native`]: the border to threads that run no task;
//! * [`deadlock`]: when nobody can go on.

mod deadlock;
mod event;
mod fiber;
mod home;
mod isolated;
mod join;
mod native;
mod parker;
mod root;
mod stack;
mod task;
mod wait;
mod worker;

use std::panic::Location;

pub(crate) use self::deadlock::Deadlock;
pub(crate) use self::event::{Event, Origin};
pub(crate) use self::isolated::isolated;
pub(crate) use self::join::Join;
pub(crate) use self::task::Payload;
pub(crate) use self::wait::Places;

/// Does something useful, as long as there is some and the condition holds, on behalf of a task that
/// would otherwise have to wait for something that nobody has begun.
pub(crate) fn help_while(condition: impl Fn() -> bool) {
    if worker::current_fiber().is_some() && !worker::is_isolated() {
        while condition() && worker::help() {}
    }
}

/// Panics inside an isolated section.
#[track_caller]
pub(crate) fn forbid_in_isolated(what: &str) {
    worker::forbid_in_isolated(what, Location::caller());
}

/// Whether the caller is inside an isolated section.
pub(crate) fn is_isolated() -> bool {
    worker::is_isolated()
}

/// Calls `f` as part of a task: the current one, or, outside any task, one that is made for it.
#[cfg_attr(rosser, allow(unreachable_code, unused_variables, reason = "it ends at once"))]
#[track_caller]
pub(crate) fn enter<R: Send>(what: &str, f: impl FnOnce() -> R + Send) -> R {
    #[cfg(rosser)]
    panic!("cannot {what}: `cargo rosser` does not follow the tasks of this library yet");
    forbid_in_isolated(what);
    if worker::current_fiber().is_some() { f() } else { root::run(f) }
}
