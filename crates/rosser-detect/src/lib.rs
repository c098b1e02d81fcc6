//! The pure part of Rosser: the event vocabulary, the race detectors, and the exact oracle they
//! are held against. No I/O, no globals, no threads of its own, no `unsafe`.
//!
//! ```text
//!   executor ──events──► Detector ──► Findings
//!                          │
//!                          ├─ papers::SpBags    spawn/sync, accumulation     (Feng & Leiserson 1997)
//!                          ├─ papers::EspBags   async/finish, isolated       (Raman et al. 2012)
//!                          ├─ papers::Drdp      async/finish and promises    (Jin et al. 2023)
//!                          └─ oracle::Oracle    the explicit graph, exact, quadratic
//!
//!   checked program ──accesses──► serial     `auto`: one worker, depth-first or switching
//!                          └────► sf_order   several workers                 (Xu et al. 2021)
//! ```
//!
//! The two engines below have cells, histories and weak orders of their own, because what they may keep
//! differs. They share the kinds of accesses ([`kind`]) and how memory is provided ([`storage`]). [`order`] says who
//! is parallel with whom in a run on one worker.

pub mod detector;
pub mod event;
pub mod findings;
pub mod hash;
pub mod ids;
pub mod kind;
pub mod live;
pub mod oracle;
pub mod order;
pub mod papers;
pub mod registry;
pub mod serial;
pub mod sf_order;
pub mod storage;
pub mod trace;

pub use detector::{Construct, Detector};
pub use event::{Access, Event, Operator, ScopeKind, TaskKind};
pub use findings::{Class, Detail, Exclusion, Findings, Place, Race};
pub use ids::{LocId, LockId, PromiseId, SiteId, StepId, TaskId, TokenId};
pub use registry::DetectorKind;
pub use trace::{Item, Trace};
