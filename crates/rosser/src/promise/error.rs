//! The error of setting a promise twice.

use std::error::Error;
use std::fmt;
use std::panic::Location;

/// A promise was set that had been set before, or given up by its [`Setter`](crate::Setter).
///
/// ```
/// let promise = rosser::Promise::new();
/// promise.set(1);
/// let error = promise.try_set(2).unwrap_err();
/// assert!(error.to_string().contains("already set"));
/// ```
pub struct AlreadySet<T> {
    pub(super) value: T,
    pub(super) first: &'static Location<'static>,
    pub(super) made_at: &'static Location<'static>,
    pub(super) abandoned: bool,
}

impl<T> AlreadySet<T> {
    /// Where it was set before, or where the setter was made that gave it up.
    ///
    /// ```
    /// # let promise = rosser::Promise::new();
    /// promise.set(1); let line = line!();
    /// assert_eq!(promise.try_set(2).unwrap_err().first().line(), line);
    /// ```
    pub fn first(&self) -> &'static Location<'static> {
        self.first
    }

    /// The value that could not be set.
    ///
    /// ```
    /// # let promise = rosser::Promise::new();
    /// # promise.set(1);
    /// assert_eq!(promise.try_set(2).unwrap_err().into_value(), 2);
    /// ```
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> fmt::Display for AlreadySet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, made_at, .. } = self;
        if self.abandoned {
            write!(
                f,
                "the promise made at {made_at} was given up: its setter (made at {first}) was dropped"
            )
        } else {
            write!(f, "the promise made at {made_at} is already set: first at {first}")
        }
    }
}

impl<T> fmt::Debug for AlreadySet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlreadySet").field("first", self.first).finish_non_exhaustive()
    }
}

impl<T> Error for AlreadySet<T> {}
