//! Joins that do not follow the blocks of the program: begin-finish and end-finish.
//!
//! Whether to join may depend on a condition, as in Cilk's `if (…) sync;`. A finish is a block and
//! cannot express that; a value that is ended when the time has come can.
//!
//! A value can also be forgotten without being dropped. So the borrows of its tasks must not depend on
//! it: they are those of the finish around it, which waits for them in any case.

use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crate::finish::Finish;
use crate::runtime::{self, Join, Payload};

/// Tasks inside a finish that can be waited for earlier than the finish ends.
///
/// Made by [`Finish::begin`]. [`end`](Scope::end) waits for all tasks started in it, and those they
/// have started; dropping it does the same. It belongs to the task that began it.
///
/// The conditional sync of Cilk: a loop that waits for what it has started in some iterations.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// let cells: Vec<AtomicU32> = (0..6).map(|_| AtomicU32::new(0)).collect();
/// rosser::finish(|s| {
///     let cells = &cells;
///     let mut scope = s.begin();
///     for i in 0..6 {
///         scope.spawn(move |_| {
///             let before = if i < 4 { 0 } else { cells[i - 4].load(Relaxed) };
///             cells[i].store(before + 1, Relaxed);
///         });
///         if i == 3 {
///             scope.end(); // the first four have ended
///             scope = s.begin();
///         }
///     }
/// });
/// assert_eq!(cells[5].load(Relaxed), 2);
/// ```
///
/// Dropped while its task panics, or inside [`isolated`](crate::isolated()), it does not wait: the
/// finish does.
pub struct Scope<'finish, 'scope> {
    inner: Finish<'scope>,
    finish: PhantomData<&'finish Finish<'scope>>,
    /// The scope is waited for by the task that began it, so it stays there.
    stays: PhantomData<*const ()>,
}

impl<'scope> Scope<'_, 'scope> {
    pub(crate) fn new(inner: Finish<'scope>) -> Self {
        Self { inner, finish: PhantomData, stays: PhantomData }
    }

    /// Waits for the tasks of the scope.
    ///
    /// # Panics
    ///
    /// If one of them has panicked, the first panic goes on here.
    ///
    /// ```should_panic
    /// rosser::finish(|s| {
    ///     let scope = s.begin();
    ///     scope.spawn(|_| panic!("in a task"));
    ///     scope.end();
    ///     unreachable!();
    /// });
    /// ```
    #[track_caller]
    pub fn end(self) {
        runtime::forbid_in_isolated("end a scope");
        if let Some(payload) = self.tally().wait() {
            resume_unwind(payload);
        }
    }

    fn tally(&self) -> &Tally {
        self.inner.tally().expect("a scope has one")
    }
}

/// Tasks are started as in a finish. Those that a task of the scope starts, with the handle it is
/// given, belong to the scope, too.
///
/// ```
/// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
/// # let count = AtomicU32::new(0);
/// # let count = &count;
/// rosser::finish(|s| {
///     let scope = s.begin();
///     scope.spawn(move |s| s.spawn(move |_| drop(count.fetch_add(1, Relaxed))));
///     scope.end();
///     assert_eq!(count.load(Relaxed), 1);
/// });
/// ```
impl<'scope> Deref for Scope<'_, 'scope> {
    type Target = Finish<'scope>;

    fn deref(&self) -> &Finish<'scope> {
        &self.inner
    }
}

impl Drop for Scope<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() || runtime::is_isolated() {
            return;
        }
        if let Some(payload) = self.tally().wait() {
            // A destructor should not panic; the finish will.
            self.inner.join().note_panic(payload);
        }
    }
}

/// The tasks of a scope, counted in addition to the finish's own count.
pub(crate) struct Tally {
    join: Join,
    /// Of the scope around it.
    outer: Option<TallyRef>,
}

/// One of those who refer to a tally.
///
/// The detector sees nothing of the counting: functions that are not generic are compiled here.
pub(crate) struct TallyRef(Option<Arc<Tally>>);

impl TallyRef {
    #[cfg_attr(rosser, inline(never))]
    pub(crate) fn new(join: Join, outer: Option<TallyRef>) -> Self {
        Self(Some(Arc::new(Tally { join, outer })))
    }

    /// The current task, which was added, is about to end.
    #[cfg_attr(rosser, inline(never))]
    pub(crate) fn leave(self, panic: Option<Payload>) {
        runtime::at_end(move || self.remove(panic));
    }
}

impl Clone for TallyRef {
    #[cfg_attr(rosser, inline(never))]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl Drop for TallyRef {
    #[cfg_attr(rosser, inline(never))]
    fn drop(&mut self) {
        drop(self.0.take());
    }
}

impl Deref for TallyRef {
    type Target = Tally;

    fn deref(&self) -> &Tally {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl Tally {
    pub(crate) fn join(&self) -> &Join {
        &self.join
    }

    pub(crate) fn add(&self) {
        self.join.add();
        if let Some(outer) = &self.outer {
            outer.add();
        }
    }

    fn remove(&self, panic: Option<Payload>) {
        self.join.remove(panic);
        if let Some(outer) = &self.outer {
            outer.remove(None);
        }
    }

    pub(crate) fn note_panic(&self, payload: Payload) {
        self.join.note_panic(payload);
    }

    fn wait(&self) -> Option<Payload> {
        self.join.wait();
        self.join.take_panic()
    }
}
