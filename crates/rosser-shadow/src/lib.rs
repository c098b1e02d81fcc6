//! Race detection for a depth-first run: the serial engine of Rosser's runtime.
//!
//! ```text
//!  access ──► cell (16 bytes per word) ──► same step? done ──► history: conflicts?
//!                                                               │
//!  task events ──► spans: who is parallel ◄─────────────────────┤
//!  locks, atomics ──► weak: who was merely ordered ◄────────────┘
//! ```
//!
//! [`log`] gives out the ids, [`spans`] says which are parallel with the current step, [`weak`]
//! which were ordered in this run only; [`cell`] and [`records`] are what is remembered of a word,
//! [`history`] the rules, [`engine`] ties them together. Everything lives in memory that the
//! caller provides ([`storage`]): nothing here allocates, locks or does I/O, and it is all safe
//! code. The runtime finds the cell of an address; tests use an array.

pub mod cell;
pub mod compaction;
pub mod engine;
pub mod history;
pub mod kind;
pub mod log;
pub mod quick;
pub mod records;
pub mod spans;
pub mod storage;
pub mod weak;
