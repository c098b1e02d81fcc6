//! Spawn and sync, as in Cilk.
//!
//! A procedure joins its own children, and only those: a child is a procedure, too, and has joined
//! its own before it returns. So joins nest like calls.
#![allow(unsafe_code, reason = "children borrow from outside the procedure that waits for them")]

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::resume_unwind;

use crate::finish::run_and_wait;
use crate::future::Exclusive;
use crate::promise::{Promise, Setter, Shared};
use crate::runtime::{self, Here, Join};

/// Runs `body` as a procedure, which can spawn others and sync. It syncs at its end in any case.
///
/// ```
/// use rosser::{Procedure, procedure};
///
/// fn fib(p: &Procedure, n: u32) -> u64 {
///     if n < 2 {
///         return u64::from(n);
///     }
///     let left = p.spawn(move |p| fib(p, n - 1));
///     let right = procedure(|p| fib(p, n - 2));
///     p.sync();
///     left.take() + right
/// }
/// assert_eq!(procedure(|p| fib(p, 10)), 55);
/// ```
///
/// Where it runs, and how panics go on, is as with [`finish`](crate::finish()).
#[cfg_attr(rosser, inline(always))]
#[track_caller]
pub fn procedure<'scope, F, R>(body: F) -> R
where
    F: FnOnce(&Procedure<'scope>) -> R + Send,
    R: Send,
{
    runtime::enter("call a procedure", || Procedure::call(body))
}

/// A procedure that is under way.
///
/// Its children may borrow whatever outlives the outermost call of [`procedure()`].
pub struct Procedure<'scope> {
    join: Join,
    /// How many times it has synced.
    syncs: Cell<u64>,
    /// Invariant, as every scope's. Not to be shared: spawn and sync are its own task's business.
    scope: PhantomData<*mut &'scope ()>,
}

impl<'scope> Procedure<'scope> {
    fn call<R>(body: impl FnOnce(&Self) -> R) -> R {
        let this = Self { join: Join::new(), syncs: Cell::new(0), scope: PhantomData };
        let result = run_and_wait(&this.join, || body(&this));
        result.unwrap_or_else(|payload| resume_unwind(payload))
    }

    /// Starts a child. Its value is there after the next [`sync`](Self::sync).
    ///
    /// ```
    /// rosser::procedure(|p| {
    ///     let child = p.spawn(|_| "value");
    ///     p.sync();
    ///     assert_eq!(child.take(), "value");
    /// });
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn spawn<T, F>(&self, body: F) -> Spawned<'_, 'scope, T>
    where
        F: FnOnce(&Procedure<'scope>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.spawn_from(Here::now(), body)
    }

    /// Starts a child, as from another place.
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub(crate) fn spawn_from<T, F>(&self, here: Here, body: F) -> Spawned<'_, 'scope, T>
    where
        F: FnOnce(&Procedure<'scope>) -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let cell = Shared::new(Promise::of_task());
        let setter = Setter::new(cell.clone());
        let child = move || setter.set(Exclusive(Procedure::call(body)));
        // SAFETY: the procedure cannot be shared, so this is its owner; `call` waits for the child
        // before anything of 'scope ends.
        unsafe { self.join.spawn(None, None, child, here) };
        Spawned { cell, procedure: self, syncs: self.syncs.get() }
    }

    /// Waits for all children.
    ///
    /// # Panics
    ///
    /// If one of them has panicked, the first panic goes on here.
    ///
    /// ```
    /// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// let stage = AtomicU32::new(0);
    /// rosser::procedure(|p| {
    ///     p.spawn(|_| stage.store(1, Relaxed));
    ///     p.sync();
    ///     assert_eq!(stage.load(Relaxed), 1);
    /// });
    /// ```
    #[track_caller]
    pub fn sync(&self) {
        runtime::forbid_in_isolated("sync");
        self.join.wait();
        self.join.reopen();
        self.syncs.set(self.syncs.get() + 1);
        if let Some(payload) = self.join.take_panic() {
            resume_unwind(payload);
        }
    }
}

/// The value of a spawned child, to be taken after a sync.
///
/// ```should_panic
/// rosser::procedure(|p| {
///     let child = p.spawn(|_| 1);
///     child.take() // panics: there has been no sync
/// });
/// ```
pub struct Spawned<'procedure, 'scope, T> {
    cell: Shared<Exclusive<T>>,
    procedure: &'procedure Procedure<'scope>,
    /// The procedure's syncs before the spawn.
    syncs: u64,
}

impl<T> Spawned<'_, '_, T> {
    /// The child's value.
    ///
    /// # Panics
    ///
    /// If the procedure has not synced since the spawn, whether or not the child happens to have
    /// ended; and if the child has panicked.
    ///
    /// ```
    /// # rosser::procedure(|p| {
    /// let child = p.spawn(|_| 1);
    /// p.sync();
    /// assert_eq!(child.take(), 1);
    /// # });
    /// ```
    #[track_caller]
    pub fn take(self) -> T {
        let made_at = self.cell.made_at();
        assert!(
            self.procedure.syncs.get() > self.syncs,
            "the value of the child spawned at {made_at} was taken before a sync"
        );
        // SAFETY: the value was not shared, so it is ours; the child has ended before the sync did.
        let value = unsafe { self.cell.take() };
        value.unwrap_or_else(|| panic!("the child spawned at {made_at} panicked")).0
    }
}

impl<T> fmt::Debug for Spawned<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawned").field("made_at", self.cell.made_at()).finish_non_exhaustive()
    }
}
