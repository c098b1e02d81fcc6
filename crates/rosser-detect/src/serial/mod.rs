//! Race detection for a run on one worker: the serial engine of Rosser's runtime.
//!
//! ```text
//!  access ──► cell (16 bytes per word) ──► same step? done ──► history: conflicts?
//!                                                               │
//!  task events, promises ──► order: who is parallel ◄───────────┤
//!  locks, atomics ──► weak: who was merely ordered ◄────────────┘
//! ```
//!
//! [`log`] gives out the ids, [`crate::order`] says which are parallel with the current step, [`weak`]
//! which were ordered in this run only; [`cell`], [`records`], [`crowds`] and [`readers`] are what is
//! remembered of a word, [`history`] the rules, [`engine`] ties them together, and [`switching`] is what it does
//! when tasks wait for promises. Everything lives in memory that the caller provides ([`crate::storage`]):
//! nothing here allocates but for tests and the model language ([`growing`]), nothing locks or does I/O, and it is all safe code. The runtime finds the cell of
//! an address; tests use an array.

pub mod cell;
pub mod compaction;
pub mod crowds;
pub mod engine;
pub mod growing;
pub mod history;
pub mod log;
pub mod quick;
pub mod readers;
pub mod records;
pub mod switching;
pub mod verdicts;
pub mod weak;
