//! What differs between tasks that run one after the other on one thread (`serial`), and tasks that run at the
//! same time on several workers (`workers`). This is the only place that asks which it is.
//!
//! Both have the same items:
//!
//! | name | what it is |
//! |---|---|
//! | `Level`, `level`, `AtLevel` | the level of splitting that a task takes along |
//! | `Second` | the second half of a join, with what it takes along |

#[cfg(not(rosser_workers))]
mod serial;
#[cfg(rosser_workers)]
mod workers;

/// Whether tasks run at the same time. For the original's unit tests.
#[cfg(test)]
pub(crate) const HAS_WORKERS: bool = cfg!(rosser_workers);

#[cfg(not(rosser_workers))]
pub(crate) use self::serial::{AtLevel, Level, Second, level};
#[cfg(rosser_workers)]
pub(crate) use self::workers::{AtLevel, Level, Second, level};
