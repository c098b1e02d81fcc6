//! Items of parallel iterators that are not tasks of their own: what the copy of rayon's sources calls.
//!
//! A leaf is a piece of an iterator that is not split any further. It runs its items one after the other and calls
//! [`next_item`] between them, which the detector takes for the end of one task and the beginning of the next. Only what is not
//! generic looks at the state of the thread.

use crate::context::{self, Piece};
use crate::job::Job;
use crate::{runtime, unwind};

/// Whether leaves tell their items apart. If not, iterators are split into single items.
#[inline]
pub fn are_told() -> bool {
    context::tells_items()
}

/// Whether a piece that can be split is to be, if leaves tell their items apart. `inside` says whether it is a part of
/// another one.
#[inline]
pub fn are_split(inside: bool) -> bool {
    !inside || context::splits_again()
}

/// Runs a leaf.
#[inline(always)]
pub fn leaf<R>(run: impl FnOnce() -> R) -> R {
    let piece = Piece::begin();
    let mut job = Job::Waiting(run);
    let (task, data) = job.as_task();
    // SAFETY: The job is borrowed until the call returns, and is run once.
    let next = unsafe { runtime::rosser_leaf(task, data, piece.first()) };
    piece.end(next);
    unwind::value_or_resume(job.into_outcome())
}

/// Between two items of a leaf.
#[inline(always)]
pub fn next_item() {
    // SAFETY: The runtime asks for nothing.
    unsafe { runtime::rosser_next_item() };
}

/// A leaf of so many items is not told of: there is one, or they are never parallel.
#[inline]
pub fn skip(items: usize) {
    context::skip_items(items as u64);
}
