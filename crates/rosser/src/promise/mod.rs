//! Promises: values that are set once, and waited for by as many as like.
//!
//! A promise is borrowed by the tasks that use it, like a `OnceLock`, or shared in an `Arc`. There is
//! deliberately no way to ask whether it is set: the answer would depend on the schedule.
#![allow(unsafe_code, reason = "the value is written while others hold references to the promise")]

mod error;
mod setter;
mod shared;

use std::cell::UnsafeCell;
use std::fmt;
use std::panic::Location;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

pub use self::error::AlreadySet;
pub use self::setter::Setter;
pub(crate) use self::shared::Shared;
use crate::runtime::{Deadlock, Event, Here, Origin, Places, Unseen};

/// A value that is set once; [`get`](Promise::get) waits for it.
///
/// ```
/// use rosser::{Promise, finish};
///
/// let (left, right) = (Promise::new(), Promise::new());
/// let mut sum = 0;
/// finish(|s| {
///     s.spawn(|_| sum = left.get() + right.get());
///     s.spawn(|_| right.set(2));
///     s.spawn(|_| left.set(1));
/// });
/// assert_eq!(sum, 3);
/// ```
///
/// A task that waits gives its worker to other tasks. It is resumed on the same thread.
///
/// # When it is never set
///
/// A promise is to be set by a task. If all tasks of the process have ended or are waiting, nobody
/// is left who could: that is a *deadlock*, and every waiting `get` panics with a report of who waits
/// where.
///
/// ```should_panic
/// # use rosser::{Promise, finish};
/// let (a, b) = (Promise::<u32>::new(), Promise::<u32>::new());
/// finish(|s| {
///     s.spawn(|_| a.set(b.get() + 1));
///     s.spawn(|_| b.set(a.get() + 1));
/// });
/// ```
///
/// A promise that is set from elsewhere, by a plain thread or by a job of rayon's, has to be made with
/// [`Promise::outside`]. With a [`Setter`] a promise is given up as soon as the one who was
/// to set it is gone.
pub struct Promise<T> {
    /// Written by whoever claims `set_at`, before the event; read after it.
    value: UnsafeCell<Option<T>>,
    /// That there is a value, or that there will be none.
    event: Event,
    /// Where it was set, or where the [`Setter`] was made that gave it up; null before.
    set_at: AtomicPtr<Location<'static>>,
    made_at: &'static Location<'static>,
    origin: Origin,
}

// SAFETY: a value moves from the task that sets it to the one that drops it.
unsafe impl<T: Send> Send for Promise<T> {}
// SAFETY: the same, and references to it go to every task that gets it.
unsafe impl<T: Send + Sync> Sync for Promise<T> {}

/// Why there is no value.
pub(crate) enum Broken {
    Abandoned,
    Deadlock(Arc<Deadlock>),
}

impl<T> Promise<T> {
    /// A promise that a task will set.
    ///
    /// ```
    /// let cells: Vec<rosser::Promise<u64>> = (0..1000).map(|_| rosser::Promise::new()).collect();
    /// ```
    #[track_caller]
    pub const fn new() -> Self {
        Self::with(Event::new(), Location::caller(), Origin::Tasks)
    }

    /// What a task of the library sets when it ends.
    #[track_caller]
    pub(crate) const fn of_task() -> Self {
        Self::with(Event::of_task(), Location::caller(), Origin::Tasks)
    }

    /// A promise that may be set by something that is no task: a thread, or a job of rayon's. To wait
    /// for it is never a deadlock.
    ///
    /// ```
    /// use rosser::{Promise, finish};
    ///
    /// let answer = Promise::outside();
    /// std::thread::scope(|threads| {
    ///     threads.spawn(|| answer.set(42));
    ///     finish(|s| s.spawn(|_| assert_eq!(*answer.get(), 42)));
    /// });
    /// ```
    #[track_caller]
    pub const fn outside() -> Self {
        Self::with(Event::new(), Location::caller(), Origin::Outside)
    }

    const fn with(event: Event, made_at: &'static Location<'static>, origin: Origin) -> Self {
        Self {
            value: UnsafeCell::new(None),
            event,
            set_at: AtomicPtr::new(ptr::null_mut()),
            made_at,
            origin,
        }
    }

    /// Sets the value.
    ///
    /// # Panics
    ///
    /// If it has been set before, with both places.
    ///
    /// ```should_panic
    /// let promise = rosser::Promise::new();
    /// promise.set(1);
    /// promise.set(2);
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn set(&self, value: T) {
        if let Err(error) = self.try_set(value) {
            panic!("{error}");
        }
    }

    /// Sets the value, or gives it back if there is one.
    ///
    /// Of two tasks that try, the schedule decides which succeeds.
    ///
    /// ```
    /// let promise = rosser::Promise::new();
    /// assert!(promise.try_set(1).is_ok());
    /// let error = promise.try_set(2).unwrap_err();
    /// assert_eq!(error.first().file(), file!());
    /// assert_eq!(error.into_value(), 2);
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn try_set(&self, value: T) -> Result<(), AlreadySet<T>> {
        self.try_set_from(Here::now(), value)
    }

    /// Sets the value, as from another place.
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub(crate) fn try_set_from(&self, here: Here, value: T) -> Result<(), AlreadySet<T>> {
        if let Err(first) = claim(&self.set_at, Location::caller()) {
            self.tell_second_set(here);
            // The value is another task's; that there is one is no secret.
            let unseen = Unseen::begin();
            let abandoned = self.event.has_happened() && self.value().is_none();
            unseen.end();
            return Err(AlreadySet { value, first, made_at: self.made_at, abandoned });
        }
        // SAFETY: only the one who has claimed the promise writes, and nobody reads before the event.
        unsafe { *self.value.get() = Some(value) };
        self.event.happen(here);
        Ok(())
    }

    /// The value. Waits for it if need be: a task is suspended and its worker freed. Any other thread
    /// sleeps until the value is set; if all threads of the process sleep, so that nobody ever will, that
    /// is a deadlock, too (on Linux, where it can be found out). A worker of rayon's that waits outside any task works for its pool meanwhile, on top of
    /// what is waiting.
    ///
    /// # Panics
    ///
    /// If there is a deadlock (see [`Promise`]), if the promise has been given up by its [`Setter`],
    /// and if it would have to wait inside [`isolated`](crate::isolated()).
    ///
    /// ```
    /// let promise = rosser::Promise::new();
    /// promise.set("value");
    /// assert_eq!(*promise.get(), "value");
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[cfg_attr(not(rosser), inline)]
    #[track_caller]
    pub fn get(&self) -> &T {
        match self.wait(Location::caller()) {
            Ok(value) => value,
            Err(broken) => self.panic_because(broken),
        }
    }

    /// The value, if it was set. The promise is nobody else's any more, so there is nothing to wait
    /// for.
    ///
    /// ```
    /// let promise = rosser::Promise::new();
    /// rosser::finish(|s| s.spawn(|_| promise.set(1)));
    /// assert_eq!(promise.into_inner(), Some(1));
    /// ```
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    #[cfg_attr(rosser, inline(always))]
    #[cfg_attr(not(rosser), inline)]
    pub(crate) fn wait(&self, waits_at: &'static Location<'static>) -> Result<&T, Broken> {
        let made_at = self.made_at;
        let places = || Places { waits_at: waits_at.into(), made_at: made_at.into() };
        self.wait_from(Here::now(), places)
    }

    /// Waits as from another place.
    #[cfg_attr(rosser, inline(always))]
    #[cfg_attr(not(rosser), inline)]
    pub(crate) fn wait_from(
        &self,
        here: Here,
        places: impl FnOnce() -> Places,
    ) -> Result<&T, Broken> {
        self.event.wait(places, self.origin, here).map_err(Broken::Deadlock)?;
        self.value().ok_or(Broken::Abandoned)
    }

    /// Takes the value out, after [`wait`](Self::wait).
    ///
    /// # Safety
    /// Nobody else may have, or obtain, a reference to the value.
    pub(crate) unsafe fn take(&self) -> Option<T> {
        debug_assert!(self.event.has_happened(), "there is nobody left who writes");
        // SAFETY: as the caller promises, and the writer is through.
        unsafe { &mut *self.value.get() }.take()
    }

    /// Declares that there will be no value, unless there is one.
    pub(crate) fn abandon(&self, at: &'static Location<'static>) {
        if claim(&self.set_at, at).is_ok() {
            self.event.happen(Here::now());
        }
    }

    /// Somebody tries to set it although it is set: that is for the detector to know.
    #[cfg_attr(rosser, inline(always))]
    pub(crate) fn tell_second_set(&self, here: Here) {
        self.event.happen_again(here);
    }

    /// The value, if it was set. To be asked when nobody else has the promise any more.
    pub(crate) fn peek(&self) -> Option<&T> {
        if self.is_decided() { self.value() } else { None }
    }

    /// Whether a [`wait`](Self::wait) would return at once.
    pub(crate) fn is_decided(&self) -> bool {
        self.event.has_happened()
    }

    /// That there is a value, or that there will be none.
    pub(crate) fn event(&self) -> &Event {
        &self.event
    }

    pub(crate) fn made_at(&self) -> &'static Location<'static> {
        self.made_at
    }

    /// The value, if the event has happened.
    fn value(&self) -> Option<&T> {
        // SAFETY: called after the event only: nobody writes any more.
        unsafe { &*self.value.get() }.as_ref()
    }

    #[cold]
    #[track_caller]
    fn panic_because(&self, broken: Broken) -> ! {
        match broken {
            Broken::Deadlock(deadlock) => deadlock.unwind(),
            Broken::Abandoned => panic!(
                "the promise made at {} will never be set: its setter was dropped",
                self.made_at
            ),
        }
    }
}

/// Becomes the one who decides about the value of a promise, or tells who has.
///
/// No method, so that it is compiled here: who was first is not for the detector to see.
#[cfg_attr(rosser, inline(never))]
fn claim(
    set_at: &AtomicPtr<Location<'static>>,
    at: &'static Location<'static>,
) -> Result<(), &'static Location<'static>> {
    let at = ptr::from_ref(at).cast_mut();
    match set_at.compare_exchange(ptr::null_mut(), at, AcqRel, Acquire) {
        Ok(_) => Ok(()),
        // SAFETY: it was made from such a reference.
        Err(first) => Err(unsafe { &*first }),
    }
}

impl<T> Default for Promise<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Promise<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.event.has_happened() { self.value() } else { None };
        let mut text = f.debug_struct("Promise");
        text.field("made_at", self.made_at).field("value", &value).finish_non_exhaustive()
    }
}
