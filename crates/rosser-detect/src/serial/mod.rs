//! Race detection for a run on one worker: the serial engine of Rosser's runtime.
//!
//! ```text
//!  access ──► cell (16 bytes per word) ──► same step? done ──► history: conflicts?
//!                                                               │
//!  task events, promises ──► order: who is parallel ◄───────────┤
//!  locks, atomics ──► weak: who was merely ordered ◄────────────┘
//! ```
//!
//! [`engine`] ties three parts together. [`numbering`] gives out ids, which are places in the [`log`]; [`running`]
//! has the running tasks and open scopes; [`judge`] judges accesses. Of the judge's parts [`strong`] says which
//! accesses are parallel with the current step, out of [`present`], [`verdicts`] and [`crate::order`]; [`acquired`],
//! on top of [`weak`], which were ordered in this run only; [`cell`], [`records`], [`crowds`] and [`readers`] are
//! what is remembered of a word, and [`history`] the rules. What comes of an access is in [`conflicts`].
//! [`releases`] and [`switching`] are what the engine does at locks and atomics, and when tasks wait for promises;
//! [`items`], what it does between two items of a parallel loop.
//! Everything lives in [`memory`] that the caller provides: nothing here allocates but for tests and the model
//! language ([`growing`]), nothing locks or does I/O, and it is all safe code. The runtime finds the cell of an
//! address; tests use an array.

pub mod acquired;
pub mod cell;
pub mod compaction;
pub mod conflicts;
pub mod crowds;
pub mod engine;
pub mod growing;
pub mod history;
pub mod items;
pub mod judge;
pub mod log;
pub mod memory;
pub mod numbering;
pub mod present;
pub mod quick;
pub mod readers;
pub mod records;
pub mod releases;
pub mod running;
pub mod strong;
pub mod switching;
pub mod verdicts;
pub mod weak;
