//! The obligation to set a promise.

use std::fmt;
use std::ops::Deref;
use std::panic::Location;

use super::Promise;

/// The obligation to set a promise. To drop it unfulfilled gives the promise up: every `get` panics,
/// at once, instead of waiting for a deadlock to be found.
///
/// Made from a reference to a promise or from an `Arc` of one, and moved into the task that is
/// responsible.
///
/// ```
/// use rosser::{Promise, Setter, finish};
///
/// let promise = Promise::new();
/// let setter = Setter::new(&promise);
/// finish(|s| {
///     s.spawn(move |_| setter.set(7));
///     assert_eq!(*promise.get(), 7);
/// });
/// ```
///
/// ```should_panic
/// # use rosser::{Promise, Setter, finish};
/// let promise = Promise::<u32>::new();
/// let setter = Setter::new(&promise);
/// finish(|s| {
///     s.spawn(move |_| drop(setter));
///     promise.get(); // panics: the setter was dropped
/// });
/// ```
#[must_use = "dropping it gives the promise up"]
pub struct Setter<T, P: Deref<Target = Promise<T>>> {
    promise: P,
    made_at: &'static Location<'static>,
}

impl<T, P: Deref<Target = Promise<T>>> Setter<T, P> {
    /// Takes the obligation on.
    ///
    /// ```
    /// # use rosser::{Promise, Setter};
    /// use std::sync::Arc;
    ///
    /// let promise = Arc::new(Promise::new());
    /// let setter = Setter::new(Arc::clone(&promise));
    /// setter.set(1);
    /// ```
    #[track_caller]
    pub fn new(promise: P) -> Self {
        Self { promise, made_at: Location::caller() }
    }

    /// Fulfils it.
    ///
    /// # Panics
    ///
    /// If somebody else has set the promise: see [`Promise::set`].
    ///
    /// ```
    /// # use rosser::{Promise, Setter};
    /// let promise = Promise::new();
    /// Setter::new(&promise).set(1);
    /// assert_eq!(*promise.get(), 1);
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn set(self, value: T) {
        self.promise.set(value);
    }

    pub(crate) fn promise(&self) -> &P {
        &self.promise
    }
}

impl<T, P: Deref<Target = Promise<T>>> Drop for Setter<T, P> {
    fn drop(&mut self) {
        // Without effect if the promise is set.
        self.promise.abandon(self.made_at);
    }
}

impl<T, P: Deref<Target = Promise<T>>> fmt::Debug for Setter<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setter").field("made_at", self.made_at).finish_non_exhaustive()
    }
}
