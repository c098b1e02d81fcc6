//! Futures: tasks with a value.
//!
//! A future is an async and a promise that the task sets last. In the *structured* kind ownership
//! makes sure that it is got at most once, which is what some race detectors rely on; the *shared*
//! kind can be got by many.
//!
//! Nothing to do with `std::future`: these run by themselves, and waiting is a plain call.
#![allow(unsafe_code, reason = "a value is moved out of the cell it shares with its task")]

use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

use crate::finish::Finish;
use crate::promise::{Broken, Promise, Setter, Shared};
use crate::runtime::{self, Here, Places};

/// The value of a task, to be got once.
///
/// Made by [`Finish::spawn_future`].
///
/// ```
/// fn fib(n: u32) -> u64 {
///     if n < 2 {
///         return u64::from(n);
///     }
///     rosser::finish(|s| {
///         let left = s.spawn_future(move |_| fib(n - 1));
///         let right = fib(n - 2);
///         left.get() + right
///     })
/// }
/// assert_eq!(fib(10), 55);
/// ```
///
/// It is an ordinary value: it can be moved to another task and got there. It cannot be got twice.
///
/// ```compile_fail
/// rosser::finish(|s| {
///     let future = s.spawn_future(|_| 1);
///     future.get() + future.get()
/// });
/// ```
#[must_use = "a future whose value is not needed is a spawn"]
pub struct Future<T> {
    cell: Cell<T>,
}

/// The value of a task, to be got by as many as like. See [`Future::share`].
///
/// ```
/// rosser::finish(|s| {
///     let table = s.spawn_future(|_| vec![1, 4, 9]).share();
///     for i in 0..3 {
///         let table = table.clone();
///         s.spawn(move |_| assert!(table.get()[i] > 0));
///     }
/// });
/// ```
pub struct SharedFuture<T> {
    cell: Cell<T>,
}

/// What a future and its task share.
type Cell<T> = Shared<Exclusive<T>>;

/// A value that is shared by those who are not to look at it at the same time.
///
/// With a [`Future`] only one ever looks, so the value need not be `Sync`; a [`SharedFuture`] asks
/// for that itself.
pub(crate) struct Exclusive<T>(pub(crate) T);

// SAFETY: references to the inside are given out by `SharedFuture` alone, for values that are `Sync`.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<'scope> Finish<'scope> {
    /// Starts a task whose value is wanted.
    ///
    /// ```
    /// rosser::finish(|s| {
    ///     let answer = s.spawn_future(|_| 6 * 7);
    ///     assert_eq!(answer.get(), 42);
    /// });
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn spawn_future<T, F>(&self, body: F) -> Future<T>
    where
        F: FnOnce(&Finish<'scope>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.spawn_future_from(Here::now(), body)
    }

    /// Starts a task whose value is wanted, as from another place.
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub(crate) fn spawn_future_from<T, F>(&self, here: Here, body: F) -> Future<T>
    where
        F: FnOnce(&Finish<'scope>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let cell = Cell::new(Promise::of_task());
        let setter = Setter::new(cell.clone());
        self.start(here, Some(cell.event()), move |s| {
            setter.promise().note_begun();
            match catch_unwind(AssertUnwindSafe(|| body(s))) {
                Ok(value) => setter.set(Exclusive(value)),
                // Noted before anybody who waits for the value can panic in turn.
                Err(payload) => s.note_panic(payload),
            }
        });
        Future { cell }
    }
}

impl<T> Future<T> {
    /// The value. Waits for the task as [`Promise::get`] does.
    ///
    /// # Panics
    ///
    /// If the task has panicked; the finish goes on with *its* panic. Otherwise as
    /// [`Promise::get`].
    ///
    /// ```
    /// # rosser::finish(|s| {
    /// let words = s.spawn_future(|_| vec!["moved", "not", "copied"]);
    /// let words: Vec<&str> = words.get();
    /// # });
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn get(self) -> T {
        wait(&self.cell);
        // SAFETY: the future is not shared, so the value is ours. The task is through with it.
        unsafe { self.cell.take() }.expect("waited for").0
    }

    /// Makes it possible to get the value more than once, from more than one task, by reference.
    ///
    /// ```
    /// # rosser::finish(|s| {
    /// let shared = s.spawn_future(|_| 1).share();
    /// assert_eq!(shared.get(), shared.clone().get());
    /// # });
    /// ```
    #[cfg_attr(rosser, inline(always))]
    pub fn share(self) -> SharedFuture<T> {
        runtime::share_future(Here::now());
        SharedFuture { cell: self.cell }
    }
}

impl<T: Sync> SharedFuture<T> {
    /// The value. Waits and panics as [`Future::get`] does.
    ///
    /// ```
    /// # rosser::finish(|s| {
    /// let shared = s.spawn_future(|_| 1).share();
    /// assert_eq!(*shared.get(), 1);
    /// # });
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn get(&self) -> &T {
        &wait(&self.cell).0
    }

    /// Waits as from another place.
    pub(crate) fn wait_from(&self, here: Here, places: Places) -> Result<&T, Broken> {
        runtime::help_while(|| !self.cell.has_begun());
        self.cell.wait_from(here, || places).map(|value| &value.0)
    }

    /// Whether [`get`](Self::get) would return at once.
    pub(crate) fn is_decided(&self) -> bool {
        self.cell.is_decided()
    }
}

/// Waits for the value of a future.
#[cfg_attr(rosser, inline(always))]
#[track_caller]
fn wait<T>(cell: &Cell<T>) -> &Exclusive<T> {
    runtime::help_while(|| !cell.has_begun());
    match cell.wait(Location::caller()) {
        Ok(value) => value,
        Err(broken) => panic_because(broken, cell.made_at()),
    }
}

#[cold]
#[track_caller]
fn panic_because(broken: Broken, made_at: &Location<'_>) -> ! {
    match broken {
        Broken::Deadlock(deadlock) => deadlock.unwind(),
        Broken::Abandoned => panic!("the task of the future made at {made_at} panicked"),
    }
}

impl<T> Clone for SharedFuture<T> {
    fn clone(&self) -> Self {
        Self { cell: self.cell.clone() }
    }
}

impl<T> fmt::Debug for Future<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Future").field("made_at", self.cell.made_at()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SharedFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedFuture").field("made_at", self.cell.made_at()).finish_non_exhaustive()
    }
}
