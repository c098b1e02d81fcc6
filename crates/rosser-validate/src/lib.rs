//! What a recorded execution of a program with threads shows, and what it only seems to show.
//!
//! The frame is that of R. Netzer and B. Miller, *Improving the Accuracy of Data Race Detection*, `PPoPP` 1991: races
//! that are *apparent* in a recorded execution, those of them that are *feasible*, and *tangles* of races of which each
//! may be an artifact of another. Beyond the paper, a race is *proved* by a schedule in which every thread finds what
//! it found in the recorded execution, up to the two accesses.
//!
//! ```text
//!   execution ─► events ─► order ─► apparent ─► augment ─► tangles      the paper's two phases
//!       │                    │         │
//!       └──► knowledge ──────┴──► ideal, reversal ─► witness            prediction, and its checker
//!                                      │
//!                  analysis ◄──────────┴── precise                      one answer
//! ```
//!
//! The crate does no I/O and knows nothing of sources: words, sites and locks are numbers. `brute` decides by
//! enumeration what the theorems claim; it is for small executions and for tests.

pub mod analysis;
pub mod apparent;
pub mod augment;
pub mod brute;
pub mod events;
pub mod execution;
pub mod ideal;
pub mod knowledge;
pub mod order;
pub mod precise;
pub mod reversal;
pub mod tangles;
pub mod witness;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod theorems;

pub use analysis::{Analysis, Options, Race, Verdict, analyse};
pub use events::{EventId, Events};
pub use execution::{
    Act, Action, ActionId, Execution, Flag, Group, Lock, Ordering, Semaphore, Site, Thread, Word,
};
pub use order::Pairing;
pub use witness::Witness;
