//! What follows the tasks of a program and judges its accesses, on one worker or on several.
//!
//! A runtime has one backend. `--cfg rosser_workers` chooses `workers`; without it there is `serial`. This is
//! the only place that asks. The rest of the runtime calls what both have, under the same names:
//!
//! | name | what it is |
//! |---|---|
//! | `checked` | the state of a checked thread, and what it does with ranges, atomic operations and memory that comes and goes |
//! | `access` | plain accesses of a word: whether the step has made one before, and what happens if not |
//! | `cells` | the type of a cell, what the fast path compares it with, and words that are not looked at |
//! | `tasks` | what the C functions of [`forks`](crate::forks) do |
//! | `loops` | leaves of parallel iterators, and the items in them |
//! | `DETECTOR` | the detector that is used if none is chosen |
//! | `HAS_WORKERS` | true if tasks run at the same time |
//!
//! A backend has C functions of its own besides, for the task library.

#[cfg(not(rosser_workers))]
mod serial;
#[cfg(rosser_workers)]
mod workers;

#[cfg(not(rosser_workers))]
pub use self::serial::{DETECTOR, HAS_WORKERS, access, cells, checked, loops, tasks};
#[cfg(rosser_workers)]
pub use self::workers::{DETECTOR, HAS_WORKERS, access, cells, checked, loops, tasks};
