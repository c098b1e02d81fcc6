//! How tasks are executed. The API above knows nothing but what is listed here.
//!
//! | the API needs | it is |
//! |---|---|
//! | to be in a task | [`enter`]: calls a function as part of the current task, or of a new one that is waited for |
//! | tasks that are waited for together | [`Join`]: `spawn`, `wait` |
//! | to wait for something that happens once | [`Event`]: `happen`, `wait`; for a future: `of_task`, [`share_future`] |
//! | to do something when a task has ended | [`at_end`] |
//! | mutual exclusion | [`isolated()`], and where it forbids to wait: [`forbid_in_isolated`] |
//! | not to wait for what it could do itself | [`help_while`] |
//! | to tell the detector where in the program it is called | [`Here`] |
//! | to do something that is right by agreement | [`Unseen`] |
//!
//! Lifetimes, results and panics are the API's business, and the same whatever executes the tasks.
//! There are three executions:
//!
//! * [`on_rayon`], for production: on rayon's thread pool;
//! * `serial`, under `cargo rosser`: one task at a time, each told to the detector;
//! * `workers`, under `cargo rosser` with several workers: on the runtime's own.
//!
//! The first two share [`fiber`]s, on which tasks are put aside, and [`stack`]s for them, of which there may be a
//! million. All share a look at other [`threads`], and the words for a [`deadlock`].

#[cfg(rosser)]
#[allow(
    dead_code,
    unsafe_code,
    reason = "what all executors call of the detector, by a C interface"
)]
pub(crate) mod abi;
mod body;
mod deadlock;
#[cfg(rosser)]
mod detected;
#[cfg(not(all(rosser, rosser_workers)))]
mod fiber;
#[cfg(not(rosser))]
mod on_rayon;
#[cfg(all(rosser, not(rosser_workers)))]
mod serial;
#[cfg(not(all(rosser, rosser_workers)))]
mod stack;
mod threads;
#[cfg(all(rosser, rosser_workers))]
mod workers;

use std::panic::Location;

pub(crate) use self::body::Payload;
pub(crate) use self::deadlock::{Deadlock, Places};
#[cfg(rosser)]
pub use self::detected::Here;
#[cfg(rosser)]
pub(crate) use self::detected::Unseen;
#[cfg(not(rosser))]
pub use self::on_rayon::Here;
#[cfg(not(rosser))]
pub(crate) use self::on_rayon::{
    Event, Join, Unseen, at_end, enter, help_while, is_isolated, isolated, share_future,
};
#[cfg(all(rosser, not(rosser_workers)))]
pub(crate) use self::serial::{
    Event, Join, at_end, enter, help_while, is_isolated, isolated, share_future,
};
#[cfg(all(rosser, rosser_workers))]
pub(crate) use self::workers::{
    Event, Join, at_end, enter, help_while, is_isolated, isolated, share_future,
};
use crate::place::Place;

/// Panics inside an isolated section.
#[track_caller]
pub(crate) fn forbid_in_isolated(what: &str) {
    forbid_in_isolated_at(what, Location::caller().into());
}

/// The same, at a place that is known.
fn forbid_in_isolated_at(what: &str, at: Place) {
    assert!(
        !is_isolated(),
        "cannot {what} inside an isolated section (at {at}): every other section would wait"
    );
}

/// Where an event is expected to come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From a task: if no task can run any more, it will never come.
    Tasks,
    /// From a thread or a job that is no task: it may always still come.
    Outside,
}
