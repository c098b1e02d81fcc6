//! Race detection while the program runs on several workers: SF-Order (Xu, Singer and Lee, *Efficient
//! Parallel Determinacy Race Detection for Structured Futures*, SPAA 2021).
//!
//! ```text
//!  access ──► cell (16 bytes per word) ──► same strand? done ──► history: conflicts?
//!                                                                 │
//!  task events ──► strands: two orders; futures ◄── precedes? ────┤
//!  locks, atomics ──► weak: who was merely ordered ◄──────────────┘
//! ```
//!
//! What all workers share is in [`shared::Shared`], what each has for itself in [`worker::Worker`].
//! Tasks may run in any order and at the same time: where a task belongs is settled when it is forked, by
//! its place in two lists ([`strands`]), and whoever asks needs no lock ([`order`]). Cells are locked one by one
//! while they change ([`cell`]). Nearly all atomics are relaxed: the README beside this file says why that is enough,
//! in invariants S1 to S7, which the modules refer to. What grows lives in memory that the caller provides: nothing here does I/O,
//! or allocates after a worker is made, and it is all safe code.

pub mod cell;
mod familiar;
pub mod futures;
pub mod history;
pub mod log;
pub mod order;
pub mod records;
pub mod shared;
pub mod spin;
pub mod strands;
pub mod weak;
pub mod worker;
