//! What the closures of `join_context` are told, and with it how finely parallel iterators split.
//!
//! Rayon's iterators split a piece of work again whenever they find that it has migrated to
//! another thread. Here every piece has, so iterators split down to single items, or to what
//! `with_min_len` asks for: the finest tree of tasks there is, which covers every coarser one.
//! With `ROSSER_GRAIN=coarse` no piece has, and iterators make about as many pieces as the pool
//! has threads. That is faster, and misses races between items of one piece.
//!
//! Some iterators are endless (`rayon::iter::repeat`) and would be split for ever. Halving brings
//! a finite one to single items in no more levels than its length has bits. So work that has been
//! split [`DEEPEST_SPLIT`] times has not migrated. Levels are counted as long as the same
//! `join_context` recurs: an iterator of another type, inside an item, has levels of its own. A
//! function that calls itself through parallel iterators of one and the same type shares them.
//!
//! The level is the thread's. A task that another thread may run takes it along, as a [`Level`].

use std::cell::Cell;
use std::env;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::runtime::TaskFn;

/// How many nested splits are said to have migrated.
///
/// More than enough for iterators of the longest ranges (128 levels) nested in themselves, and
/// little enough for the stack of a test's thread in a build that is not optimised.
const DEEPEST_SPLIT: u32 = 384;

/// Tells a closure of [`join_context`](crate::join_context) how it is being run.
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
    /// As in the original, a context cannot leave the thread it was made for.
    _marker: PhantomData<*mut ()>,
}

impl FnContext {
    #[inline]
    pub(crate) fn new(migrated: bool) -> Self {
        FnContext { migrated, _marker: PhantomData }
    }

    /// Whether the closure is to be taken for one that another thread runs.
    #[inline]
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}

/// Calls of the same `join_context` inside each other.
#[derive(Clone, Copy)]
struct Splits {
    /// What tells one `join_context` from another: the function of its first task.
    of: Option<TaskFn>,
    levels: u32,
}

thread_local! {
    static SPLITS: Cell<Splits> = const { Cell::new(Splits { of: None, levels: 0 }) };
}

/// One level of splitting, as long as it lives.
#[must_use]
pub(crate) struct Split {
    outer: Splits,
}

/// Begins a level of splitting.
#[inline(never)]
pub(crate) fn split(of: TaskFn) -> Split {
    let outer = SPLITS.get();
    // Were two functions taken for one, or one for two, a level would be counted wrongly.
    let recurs = outer.of.is_some_and(|outer| std::ptr::fn_addr_eq(outer, of));
    let levels = if recurs { outer.levels + 1 } else { 1 };
    SPLITS.set(Splits { of: Some(of), levels });
    Split { outer }
}

/// Whether closures of the innermost level are said to have migrated.
#[inline(never)]
pub(crate) fn migrates() -> bool {
    splits_to_items() && SPLITS.get().levels <= DEEPEST_SPLIT
}

impl Drop for Split {
    #[inline(never)]
    fn drop(&mut self) {
        SPLITS.set(self.outer);
    }
}

/// The level of splitting that a task takes along. All tasks are run by the thread that forks them
/// if there is but one worker; then nothing is taken along.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    #[cfg(rosser_parallel)]
    splits: Splits,
}

/// The level of splitting of the current task.
#[cfg(rosser_parallel)]
pub(crate) fn level() -> Level {
    Level { splits: SPLITS.get() }
}

/// The level of splitting of the current task.
#[cfg(not(rosser_parallel))]
pub(crate) fn level() -> Level {
    Level {}
}

/// While it lives, the current thread is at the level that a task took along.
#[must_use]
pub(crate) struct AtLevel {
    #[cfg(rosser_parallel)]
    _previous: Split,
}

impl Level {
    /// Goes to the level, in the task that took it along.
    #[cfg(rosser_parallel)]
    pub(crate) fn resume(self) -> AtLevel {
        AtLevel { _previous: Split { outer: SPLITS.replace(self.splits) } }
    }

    /// Goes to the level, in the task that took it along: the thread is already there.
    #[cfg(not(rosser_parallel))]
    #[allow(clippy::unused_self, reason = "as on several workers")]
    pub(crate) fn resume(self) -> AtLevel {
        AtLevel {}
    }
}

/// Whether work is split as finely as possible. The environment is read once.
fn splits_to_items() -> bool {
    static SPLITS_TO_ITEMS: OnceLock<bool> = OnceLock::new();
    *SPLITS_TO_ITEMS
        .get_or_init(|| env::var_os("ROSSER_GRAIN").is_none_or(|grain| grain != "coarse"))
}
