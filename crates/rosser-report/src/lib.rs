//! From run files to reports.
//!
//! A checked program leaves a run file: words and addresses. Here it becomes what a person, a
//! continuous-integration service or an editor reads.
//!
//! ```text
//! run files ─ runfile ─► words
//!             symbols ─► functions, files, lines        (names, paths, frame)
//!               rules ─► conflicts that are no findings, counted
//!            suppress ─► findings nobody wants to hear of, counted
//!               group ─► one finding per class and pair of places, over all runs
//!            baseline ─► known findings
//!     describe, tasks,
//!            promises ─► sentences
//!                        text · json · sarif · github
//! ```
//!
//! Nothing of a source file is read before a finding is known to be reported.

mod baseline;
mod bridges;
mod describe;
mod error;
mod finding;
mod frame;
mod github;
mod group;
mod harmless;
mod json;
mod names;
mod numbers;
mod options;
mod paths;
mod pattern;
mod promises;
mod read;
mod report;
mod rules;
mod run;
mod runfile;
mod sarif;
mod shown_by;
mod sources;
mod suppress;
mod symbols;
mod tasks;
#[cfg(test)]
mod testing;
mod text;
mod unseen;

pub use error::Error;
pub use harmless::harmless;
pub use options::{Options, Style};
pub use report::{Counts, Report, Tallies};
pub use run::{Counters, Run, State, StopReason};
