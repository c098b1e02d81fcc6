//! Which conflicts are no findings. They are counted, and the verdict tells how many there were.
//!
//! Synchronisation objects are themselves memory that parallel tasks change: two tasks that lock a
//! mutex conflict on its state. What matters is the data they protect, which is judged on its own.
//! The rules, in the order in which they are tried:
//!
//! | rule | holds when | why it is no finding |
//! |---|---|---|
//! | initialised once | the release was hidden in `std`'s `Once`, or the second task acquired it in code of a once cell ([`ONCE`]) | whoever comes first initialises, to the same value, before anyone reads |
//! | freed in order | the second access frees the block, and the two were ordered in this run | the last owner frees, whichever task that is |
//! | internal | both accesses are atomic and both were made by code of locks, once cells or reference counts ([`INTERNAL`], without [`NOT_INTERNAL`]) | the state of a lock is not a result |
//!
//! Who made an atomic access is the innermost function outside of [`ATOMICS`] and outside of the
//! runtime. Of the first access only one address is known, and in a build without inlining that is
//! in [`ATOMICS`]: then the second alone decides, since both are to the same word. Channels and queues are not internal: which of two parallel sends is first decides what
//! the receiver sees first, so they are reported where the user sends.

use crate::finding::{AccessKind, Class, Finding, Via};
use crate::frame::{Frame, Origin};
use crate::symbols::FrameTable;

/// What a conflict is, if it is no finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exempt {
    /// Initialisation that is done once.
    InitialisedOnce,
    /// The last owner freed a block.
    FreedInOrder,
    /// The state of a lock and the like.
    Internal,
}

/// Wrappers around the instructions.
const ATOMICS: &[&str] = &["core::sync::atomic", "core::intrinsics", "portable_atomic"];

/// Code that initialises once.
const ONCE: &[&str] = &[
    "std::sync::once",
    "std::sync::once_lock",
    "std::sync::lazy_lock",
    "std::sync::poison::once",
    "std::sys::sync::once",
    "std::sys::sync::once_box",
    "once_cell",
    "lazy_static",
    "parking_lot::once",
    "spin::once",
    "spin::lazy",
];

/// Code of locks, once cells, reference counts, and of memory reclamation.
const INTERNAL: &[&str] = &[
    "std::sync",
    "std::sys::sync",
    "alloc::sync",
    "lock_api",
    "parking_lot",
    "parking_lot_core",
    "once_cell",
    "lazy_static",
    "spin",
    "crossbeam_epoch::collector",
    "crossbeam_epoch::epoch",
    "crossbeam_epoch::guard",
    "crossbeam_epoch::internal",
    "crossbeam_epoch::sync",
];

/// Parts of the above that pass data on.
const NOT_INTERNAL: &[&str] = &["std::sync::mpsc", "std::sync::mpmc", "std::sync::oneshot"];

/// Whether a conflict is no finding, and why.
pub fn exempt(finding: &Finding, table: &FrameTable) -> Option<Exempt> {
    if finding.via == Via::HiddenRelease || acquired_in_once(finding, table) {
        return Some(Exempt::InitialisedOnce);
    }
    if finding.second_kind == AccessKind::Free && finding.class == Class::OrderDependent {
        return Some(Exempt::FreedInOrder);
    }
    let both_atomic = finding.first_kind.is_atomic() && finding.second_kind.is_atomic();
    let internal = both_atomic
        && maker(finding.first_frames(table).iter()).is_none_or(is_internal)
        && maker(finding.second_frames(table).map(|(_, frame)| frame)).is_some_and(is_internal);
    internal.then_some(Exempt::Internal)
}

fn acquired_in_once(finding: &Finding, table: &FrameTable) -> bool {
    finding.class == Class::OrderDependent
        && finding.acquire.is_some_and(|at| table.frames(at).iter().any(|f| is_in(f, ONCE)))
}

/// The function that made an atomic access.
fn maker<'a>(frames: impl Iterator<Item = &'a Frame>) -> Option<&'a Frame> {
    frames.into_iter().find(|frame| frame.origin != Origin::Runtime && !is_in(frame, ATOMICS))
}

fn is_internal(frame: &Frame) -> bool {
    is_in(frame, INTERNAL) && !is_in(frame, NOT_INTERNAL)
}

fn is_in(frame: &Frame, modules: &[&str]) -> bool {
    modules.iter().any(|module| frame.is_in(module))
}

#[cfg(test)]
mod tests;
