//! The pure part of Rosser: the event vocabulary, the race detectors, and the exact oracle they
//! are held against. No I/O, no globals, no threads, no `unsafe`.
//!
//! ```text
//!   executor ──events──► Detector ──► Findings
//!                          │
//!                          ├─ detectors::SpBags    spawn/sync, accumulation     (Feng & Leiserson 1997)
//!                          ├─ detectors::EspBags   async/finish, isolated       (Raman et al. 2012)
//!                          ├─ detectors::Drdp      async/finish and promises    (Jin et al. 2023)
//!                          └─ oracle::Oracle       the explicit graph, exact, quadratic
//! ```

pub mod detector;
pub mod detectors;
mod disjoint_set;
pub mod event;
pub mod findings;
pub mod hash;
pub mod ids;
pub mod live;
pub mod oracle;
pub mod trace;

pub use detector::{Construct, Detector, DetectorKind};
pub use event::{Access, Event, Operator, ScopeKind, TaskKind};
pub use findings::{Class, Detail, Exclusion, Findings, Place, Race};
pub use ids::{LocId, LockId, PromiseId, SiteId, StepId, TaskId, TokenId};
pub use trace::{Item, Trace};
