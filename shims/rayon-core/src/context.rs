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
//! Where leaves tell their items apart (see [`crate::items`]), iterators are split into a few leaves only: so many that
//! what is done with the results of two of them is seen as well.
//!
//! The level is the thread's. A task that another thread may run takes it along ([`Level`](crate::backend::Level)).

use std::cell::Cell;
use std::env;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::runtime::{self, TaskFn};

/// How many nested splits are said to have migrated.
///
/// More than enough for iterators of the longest ranges (128 levels) nested in themselves, and
/// little enough for the stack of a test's thread in a build that is not optimised.
const DEEPEST_SPLIT: u32 = 384;

/// How many nested splits there are where leaves tell their items apart. That makes eight leaves.
const SPLITS_TO_LEAVES: u32 = 3;

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
pub(crate) struct Splits {
    /// What tells one `join_context` from another: the function of its first task.
    of: Option<TaskFn>,
    levels: u32,
    /// The number of the next item, if leaves run one after the other.
    next_item: u64,
}

impl Splits {
    const NONE: Self = Splits { of: None, levels: 0, next_item: 0 };
}

/// The level of the current task.
#[allow(dead_code, reason = "on one worker it is in place already")]
pub(crate) fn splits() -> Splits {
    SPLITS.get()
}

impl Splits {
    /// Goes to this level.
    #[allow(dead_code, reason = "as above")]
    pub(crate) fn resume(self) -> Split {
        Split { outer: SPLITS.replace(self), recurs: false }
    }
}

thread_local! {
    static SPLITS: Cell<Splits> = const { Cell::new(Splits::NONE) };
}

/// One level of splitting, as long as it lives.
#[must_use]
pub(crate) struct Split {
    outer: Splits,
    /// Whether it is within one of the same iterator.
    recurs: bool,
}

/// Begins a level of splitting.
#[inline(never)]
pub(crate) fn split(of: TaskFn) -> Split {
    let outer = SPLITS.get();
    // Were two functions taken for one, or one for two, a level would be counted wrongly.
    let recurs = outer.of.is_some_and(|outer| std::ptr::fn_addr_eq(outer, of));
    let (levels, next_item) = if recurs { (outer.levels + 1, outer.next_item) } else { (1, 0) };
    SPLITS.set(Splits { of: Some(of), levels, next_item });
    Split { outer, recurs }
}

/// Whether closures of the innermost level are said to have migrated.
#[inline(never)]
pub(crate) fn migrates() -> bool {
    splits_to_items() && SPLITS.get().levels <= DEEPEST_SPLIT
}

impl Drop for Split {
    #[inline(never)]
    fn drop(&mut self) {
        let next_item = if self.recurs { SPLITS.get().next_item } else { self.outer.next_item };
        SPLITS.set(Splits { next_item, ..self.outer });
    }
}

/// Whether a piece is to be split once more, if leaves tell their items apart.
#[inline(never)]
pub(crate) fn splits_again() -> bool {
    SPLITS.get().levels < SPLITS_TO_LEAVES
}

/// So many items of the present iterator have been run.
#[inline(never)]
pub(crate) fn skip_items(items: u64) {
    let splits = SPLITS.get();
    SPLITS.set(Splits { next_item: splits.next_item + items, ..splits });
}

/// A leaf that is being run: an iterator in one of its items has levels and items of its own.
#[must_use]
pub(crate) struct Piece {
    outer: Splits,
}

impl Piece {
    /// Begins it.
    #[inline(never)]
    pub(crate) fn begin() -> Self {
        Piece { outer: SPLITS.replace(Splits::NONE) }
    }

    /// The number of its first item.
    #[inline(never)]
    pub(crate) fn first(&self) -> u64 {
        self.outer.next_item
    }

    /// Ends it. The number is that of the next leaf's first item.
    #[inline(never)]
    pub(crate) fn end(self, next_item: u64) {
        SPLITS.set(Splits { next_item, ..self.outer });
    }
}

/// Whether work is split as finely as possible. The environment is read once.
fn splits_to_items() -> bool {
    static SPLITS_TO_ITEMS: OnceLock<bool> = OnceLock::new();
    *SPLITS_TO_ITEMS
        .get_or_init(|| env::var_os("ROSSER_GRAIN").is_none_or(|grain| grain != "coarse"))
}

/// Whether leaves tell their items apart. The environment is read once.
#[inline(never)]
pub(crate) fn tells_items() -> bool {
    static TELLS_ITEMS: OnceLock<bool> = OnceLock::new();
    *TELLS_ITEMS.get_or_init(|| {
        splits_to_items()
            && env::var_os("ROSSER_ITEMS").is_none_or(|items| items != "tasks")
            // SAFETY: It only says what is so.
            && unsafe { runtime::rosser_has_items() }
    })
}
