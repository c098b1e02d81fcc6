//! Tasks one after the other, on the thread that starts them: the engine of `rosser_detect::serial`, or another
//! detector.
//!
//! ```text
//!  tasks       fork and join, called by the replacement of rayon-core
//!  stacks      tasks on stacks of their own; promises: both called by the task library
//!     │
//!  checked     the thread that is checked: the engine, stack, findings
//!  access      plain accesses of a word; cells: where their histories are
//!  first_touch what an access does that its step has not made before, in assembly
//!  ranges      accesses of many words; loads: atomic ones
//!  places      ids of accesses by where they are made
//!  loops       items of parallel loops; births: blocks that they carry along
//!  watch       atomics that code which is not instrumented may change
//!  repetition  loads that nothing will ever change: the run cannot go on
//!  touched     cells in use, when ids get new numbers
//!  unseen      what the thread does that is not looked at
//!  evidence    what is told of a conflict
//!  other       another detector than the engine, if one was chosen; locations: its names of bytes
//! ```
//!
//! One thread is checked at a time: the one that started the outermost parallel region. All state but
//! the heap's block table is that thread's.

pub mod access;
mod births;
pub mod cells;
pub mod checked;
mod evidence;
#[cfg(any(rosser_inline, test))]
pub mod first_touch;
pub mod loads;
mod locations;
pub mod loops;
pub mod other;
pub mod places;
mod promises;
pub mod ranges;
mod repetition;
mod stacks;
pub mod tasks;
mod touched;
mod unseen;
pub mod watch;

use rosser_detect::DetectorKind;

/// The detector that is used if none is chosen.
pub const DETECTOR: DetectorKind = DetectorKind::Auto;
/// Whether tasks run at the same time.
pub const HAS_WORKERS: bool = false;
