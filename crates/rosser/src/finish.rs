//! Async and finish: start tasks, and wait for all of them at once.
#![allow(unsafe_code, reason = "tasks borrow from outside the finish that waits for them")]

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::runtime::{self, Event, Here, Join, Payload};
use crate::scope::{Scope, TallyRef};

/// Runs `body`, which can start tasks, and waits until it and all its tasks have ended, however
/// deeply they were started. Gives back what `body` returns.
///
/// Tasks may borrow whatever outlives the call of `finish`, but nothing that `body` or another task
/// owns: a task may outlive the one that started it.
///
/// ```
/// let mut halves = [0, 0];
/// let (left, right) = halves.split_at_mut(1);
/// rosser::finish(|s| {
///     s.spawn(|_| left[0] = 1);
///     s.spawn(|_| right[0] = 2);
/// });
/// assert_eq!(halves, [1, 2]);
/// ```
///
/// ```compile_fail
/// rosser::finish(|s| {
///     let local = 1;
///     s.spawn(|_| println!("{local}")); // may run when `local` is gone
/// });
/// ```
///
/// Called outside any task, `body` becomes a task in rayon's current thread pool, and the calling
/// thread waits: asleep, or, if it is a worker of the pool, with other work of the pool.
///
/// # Panics
///
/// If `body` or a task panics, the first panic goes on here, after all tasks have ended. Tasks are
/// not cancelled: what the panicking task was to set is missed by those who wait for it, which ends
/// as a deadlock, which in turn is a panic that comes too late to be the first.
///
/// ```should_panic
/// rosser::finish(|s| s.spawn(|_| panic!("this is what the caller sees")));
/// ```
///
/// Inside [`isolated`](crate::isolated()) a finish is not allowed and panics.
#[cfg_attr(rosser, inline(always))]
#[track_caller]
pub fn finish<'scope, F, R>(body: F) -> R
where
    F: FnOnce(&Finish<'scope>) -> R + Send,
    R: Send,
{
    runtime::enter("begin a finish", || {
        let join = Join::new();
        let handle = Finish { join: &raw const join, tally: None, scope: PhantomData };
        let result = run_and_wait(&join, || body(&handle));
        result.unwrap_or_else(|payload| resume_unwind(payload))
    })
}

/// A finish that is under way: where tasks are started.
///
/// Every task is given one, for tasks of its own; they belong to the same finish.
///
/// ```
/// use rosser::{Finish, finish};
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// fn visit<'scope>(s: &Finish<'scope>, depth: u32, leaves: &'scope AtomicU32) {
///     if depth == 0 {
///         leaves.fetch_add(1, Relaxed);
///     } else {
///         s.spawn(move |s| visit(s, depth - 1, leaves));
///         s.spawn(move |s| visit(s, depth - 1, leaves));
///     }
/// }
///
/// let leaves = AtomicU32::new(0);
/// finish(|s| visit(s, 4, &leaves));
/// assert_eq!(leaves.into_inner(), 16);
/// ```
pub struct Finish<'scope> {
    join: *const Join,
    /// The [`Scope`]s, within the finish, that count what is started here.
    tally: Option<TallyRef>,
    /// Invariant, as every scope's: neither longer nor shorter borrows will do.
    scope: PhantomData<fn(&'scope ()) -> &'scope ()>,
}

// SAFETY: a join is made to be reached from every thread.
unsafe impl Sync for Finish<'_> {}
// SAFETY: the same.
unsafe impl Send for Finish<'_> {}

impl<'scope> Finish<'scope> {
    /// Starts a task: an *async*. It may run at once, later, or in parallel; the finish waits for it.
    ///
    /// ```
    /// # use std::sync::Mutex;
    /// let words = Mutex::new(Vec::new());
    /// rosser::finish(|s| {
    ///     s.spawn(|_| words.lock().unwrap().push("hello"));
    /// });
    /// assert_eq!(words.into_inner().unwrap(), ["hello"]);
    /// ```
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub fn spawn<F>(&self, body: F)
    where
        F: FnOnce(&Finish<'scope>) + Send + 'scope,
    {
        self.spawn_from(Here::now(), body);
    }

    /// Starts a task, as from another place.
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub(crate) fn spawn_from<F>(&self, here: Here, body: F)
    where
        F: FnOnce(&Finish<'scope>) + Send + 'scope,
    {
        self.start(here, None, body);
    }

    /// Starts a task; the event, if there is one, is what its value is waited for by.
    #[cfg_attr(rosser, inline(always))]
    #[track_caller]
    pub(crate) fn start<F>(&self, here: Here, event: Option<&Event>, body: F)
    where
        F: FnOnce(&Finish<'scope>) + Send + 'scope,
    {
        let child = Finish { join: self.join, tally: self.tally.clone(), scope: PhantomData };
        let join = self.join();
        if let Some(tally) = &self.tally {
            tally.add();
            let body = move || {
                let panic = catch_unwind(AssertUnwindSafe(|| body(&child))).err();
                let tally = child.tally.expect("cloned from one");
                tally.leave(panic);
            };
            // SAFETY: as below.
            unsafe { join.spawn(Some(tally.join()), event, body, here) }
        } else {
            // SAFETY: who has a handle is the finish's body or one of its tasks. `run_and_wait`
            // waits for the tasks before anything of 'scope ends.
            unsafe { join.spawn(None, event, move || body(&child), here) }
        }
    }

    /// Begins a scope inside the finish, whose tasks can be waited for before the finish ends. See
    /// [`Scope`].
    ///
    /// ```
    /// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// let stage = AtomicU32::new(0);
    /// rosser::finish(|s| {
    ///     let first = s.begin();
    ///     first.spawn(|_| stage.store(1, Relaxed));
    ///     first.end();
    ///     assert_eq!(stage.load(Relaxed), 1);
    /// });
    /// ```
    pub fn begin(&self) -> Scope<'_, 'scope> {
        let tally = TallyRef::new(Join::within(self.join()), self.tally.clone());
        Scope::new(Finish { join: self.join, tally: Some(tally), scope: PhantomData })
    }

    /// Notes a panic of the task that has the handle, unless there was one before.
    pub(crate) fn note_panic(&self, payload: Payload) {
        match &self.tally {
            Some(tally) => tally.note_panic(payload),
            None => self.join().note_panic(payload),
        }
    }

    pub(crate) fn tally(&self) -> Option<&TallyRef> {
        self.tally.as_ref()
    }

    pub(crate) fn join(&self) -> &Join {
        // SAFETY: handles are lent to the body and to tasks, and the join waits for those.
        unsafe { &*self.join }
    }
}

/// Runs the body of whatever owns the join, and waits for its tasks, come what may. A panic of the
/// body counts like one of a task: the first is what is left.
pub(crate) fn run_and_wait<R>(join: &Join, body: impl FnOnce() -> R) -> Result<R, Payload> {
    let result = catch_unwind(AssertUnwindSafe(body));
    let result = result.map_err(|payload| join.note_panic(payload));
    join.wait();
    match (join.take_panic(), result) {
        (Some(payload), _) => Err(payload),
        (None, Ok(value)) => Ok(value),
        (None, Err(())) => unreachable!("noted above"),
    }
}
