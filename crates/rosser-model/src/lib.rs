//! The model language: small task-parallel programs that can be run under any detector, explored
//! over all schedules, drawn, and made up at random.
//!
//! ```text
//!   text ─syntax─► tree ─compile─► Program ─machine─► events
//!                                               │
//!                serial   one depth-first run   ├──► check    under a detector
//!                explore  every schedule        ├──► graph    computation graph, DPST
//!                                               ├──► validate a recorded run with threads
//!                                               └──► fuzz     random programs against the oracle
//! ```

mod auto;
pub mod check;
mod compile;
pub mod detectors;
mod diagnostic;
pub mod draw;
pub mod explore;
pub mod fuzz;
pub mod graph;
pub mod machine;
pub mod program;
pub mod serial;
mod source;
pub mod syntax;
pub mod validate;

pub use auto::Auto;
pub use compile::{compile, load};
pub use diagnostic::Diagnostic;
pub use program::Program;
pub use source::{Position, Source, Span};
