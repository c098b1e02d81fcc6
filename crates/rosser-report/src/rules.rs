//! Which conflicts are no findings. They are counted, and the verdict tells how many there were.
//!
//! Synchronisation objects are themselves memory that parallel tasks change: two tasks that lock a
//! mutex conflict on its state. What matters is the data they protect, which is judged on its own.
//! The rules, in the order in which they are tried:
//!
//! | rule | holds when | why it is no finding |
//! |---|---|---|
//! | initialised once | the release was hidden in `std`'s `Once`, or the second task acquired it in code of a once cell ([`ONCE`]) | the first task initialises, to the same value, before any task reads |
//! | freed in order | the second access frees the block, and the two were ordered in this run | the last owner frees, whichever task that is |
//! | internal | both accesses are atomic and both were made by code of locks, once cells or reference counts ([`INTERNAL`], without [`NOT_INTERNAL`] but for [`COUNTERS`]), neither by a function that tells the program the count ([`OBSERVERS`]) | the state of a lock is not a result |
//! | search | both accesses are atomic and to the flag by which a search of rayon ends early ([`SEARCH`]), and the search gives the same answer in every schedule ([`ANSWERS`], not [`ANY`]) | what depends on the schedule is only how much is searched in vain |
//! | collect | the same for collecting into an `Option` ([`OPTION`]) | it is `None` if any item is |
//!
//! Who made an atomic access is the innermost function outside of [`ATOMICS`] and outside of the
//! runtime. Of the first access only the functions inlined into one another are known for sure, and
//! in a build without inlining those are in [`ATOMICS`]: then the second alone decides, since both
//! are to the same word.
//!
//! What remains is reported where the user called, on purpose in these cases:
//!
//! * Channels and queues: which of two parallel sends is first decides what the receiver sees first.
//! * `Arc::strong_count`, `get_mut`, `try_unwrap` and the like beside a parallel clone or drop. Not so
//!   `Weak::upgrade`: it depends on the last drop only, and which drop was the last is not known here.
//! * `find_any`, `find_map_any`, `position_any`, `take_any`, `skip_any` and their kin, and `while_some`
//!   used directly: which items they give depends on the schedule.
//! * `try_reduce`, `try_for_each` and collecting into a `Result`: which of several errors is returned
//!   depends on the schedule, and a run that ends early at one does not see whether there are others.
//!   The name of the function does not tell an `Option`, for which it would not matter.

use rosser_abi::names::synchronisation::{
    ANSWERS, ANY, ATOMICS, COUNTERS, COUNTS, INTERNAL, NOT_INTERNAL, OBSERVERS, ONCE, OPTION,
    SEARCH,
};

use crate::finding::{AccessKind, Class, Finding, Via};
use crate::frame::{Frame, Origin};
use crate::names;
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
    /// The flag of a search that has the same answer in every schedule.
    Search,
}

/// Whether a conflict is no finding, and why.
pub fn exempt(finding: &Finding, table: &FrameTable) -> Option<Exempt> {
    if finding.via == Via::HiddenRelease || acquired_in_once(finding, table) {
        return Some(Exempt::InitialisedOnce);
    }
    if finding.second_kind == AccessKind::Free && finding.class == Class::OrderDependent {
        return Some(Exempt::FreedInOrder);
    }
    if !finding.first_kind.is_atomic() || !finding.second_kind.is_atomic() {
        return None;
    }
    let first = maker(finding.first_makers(table).iter());
    let second = maker(finding.second_frames(table).map(|(_, frame)| frame))?;
    let both = |is: &dyn Fn(&Frame) -> bool| first.is_none_or(is) && is(second);
    if both(&is_internal) {
        let observed = match first {
            Some(_) => finding.first_makers(table).iter().any(is_observer),
            // Cloning and dropping update the count. Who loads it wants to know it.
            None => finding.first_kind == AccessKind::AtomicLoad && second.is_in(COUNTS),
        };
        let observed = observed || library_part(finding, table).any(is_observer);
        return (!observed).then_some(Exempt::Internal);
    }
    let answered = both(&|frame| is_in(frame, SEARCH)) && is_answer(finding, table)
        || both(&|frame| is_in(frame, &OPTION))
            && library_part(finding, table).any(|frame| frame.is_in(OPTION[0]));
    answered.then_some(Exempt::Search)
}

fn acquired_in_once(finding: &Finding, table: &FrameTable) -> bool {
    finding.class == Class::OrderDependent
        && finding.acquire.is_some_and(|at| table.frames(at).iter().any(|f| is_in(f, ONCE)))
}

/// The function that made an atomic access.
fn maker<'a>(frames: impl Iterator<Item = &'a Frame>) -> Option<&'a Frame> {
    frames.into_iter().find(|frame| frame.origin != Origin::Runtime && !is_in(frame, ATOMICS))
}

/// The second access's functions up to the user's own.
fn library_part<'a>(
    finding: &'a Finding,
    table: &'a FrameTable,
) -> impl Iterator<Item = &'a Frame> {
    let frames = finding.second_frames(table).map(|(_, frame)| frame);
    frames.take_while(|frame| frame.origin != Origin::User)
}

/// Whether the search that the second access belongs to has but one answer. The function that the
/// user called decides, which is the outermost one, since `any` calls `find_any`.
fn is_answer(finding: &Finding, table: &FrameTable) -> bool {
    let mut called = None;
    for (_, frame) in finding.second_frames(table) {
        // A parallel iterator of the user's own may be among the functions of rayon.
        if frame.origin == Origin::User && called.is_some() {
            break;
        }
        let name = names::last_segment(&frame.path);
        if frame.krate() == "rayon" && (ANSWERS.contains(&name) || ANY.contains(&name)) {
            called = Some(name);
        }
    }
    called.is_some_and(|name| ANSWERS.contains(&name))
}

fn is_observer(frame: &Frame) -> bool {
    frame.is_in(COUNTS) && OBSERVERS.contains(&names::last_segment(&frame.path))
}

fn is_internal(frame: &Frame) -> bool {
    is_in(frame, COUNTERS) || is_in(frame, INTERNAL) && !is_in(frame, NOT_INTERNAL)
}

fn is_in(frame: &Frame, modules: &[&str]) -> bool {
    modules.iter().any(|module| frame.is_in(module))
}

#[cfg(test)]
mod tests;
