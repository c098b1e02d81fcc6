//! Sections that exclude one another.

use crate::runtime::{self, Here};

/// Runs `section` while no other isolated section of the program runs. Gives back what it returns.
///
/// There is one lock for all. An isolated section within another is part of it.
///
/// ```
/// use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
/// use rosser::{finish, isolated};
///
/// let (mine, yours) = (AtomicI32::new(10), AtomicI32::new(0));
/// finish(|s| {
///     for _ in 0..10 {
///         s.spawn(|_| {
///             isolated(|| {
///                 // Nobody sees the money between the two accounts.
///                 mine.store(mine.load(Relaxed) - 1, Relaxed);
///                 yours.store(yours.load(Relaxed) + 1, Relaxed);
///             });
///         });
///     }
/// });
/// assert_eq!(yours.into_inner(), 10);
/// ```
///
/// Isolation makes sections atomic, not ordered: if they do not commute, the result depends on the
/// schedule.
///
/// # Panics
///
/// A section is to be short, and must not wait for others: starting or joining tasks inside panics,
/// and so does a `get` that would have to wait.
///
/// ```should_panic
/// # use rosser::{Promise, finish, isolated};
/// let promise = Promise::<u32>::new();
/// finish(|_| isolated(|| *promise.get()));
/// ```
///
/// Rayon's operations inside a section are not detected, and are to be avoided: rayon may run a part
/// of another section in the meantime.
#[cfg_attr(rosser, inline(always))]
pub fn isolated<R>(section: impl FnOnce() -> R) -> R {
    runtime::isolated(Here::now(), section)
}
