//! Tasks on several workers, each a thread, and detection while they run: SF-Order.
//!
//! ```text
//!  tasks       fork and join, called by the replacement of rayon-core
//!     │
//!  futures     tasks of the task library, and those that it gets; library: what is not admitted
//!  pool        the workers, which are `threads`, and the tasks that wait for one
//!  checked     a thread that is checked: its worker of `sf_order`, its stack, its sites
//!  access, ranges, atomics             what its program does; cells: where histories are
//!  evidence    what is told of a conflict; stacks: who has called and forked whom
//! ```
//!
//! A parallel region begins when a thread that is in none forks, and ends when that is joined. The thread
//! is the first of the workers, the others are threads of the runtime's own.
//!
//! `README.md` beside this file names the states of regions, workers, tasks and futures, draws the hand-overs, and has the
//! invariants W1 to W7 that the atomics of these modules rest on.

pub mod access;
mod atomics;
pub mod cells;
pub mod checked;
mod evidence;
mod futures;
mod library;
pub mod loops;
mod pool;
pub mod ranges;
mod rooms;
mod stacks;
pub mod tasks;
mod threads;

use rosser_detect::DetectorKind;

/// The detector that is used if none is chosen.
pub const DETECTOR: DetectorKind = DetectorKind::SfOrder;
/// Whether tasks run at the same time.
pub const HAS_WORKERS: bool = true;
