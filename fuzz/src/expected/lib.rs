//! What is to be expected of a random program that is run with the library's tasks, and what keeps
//! count while it runs.
//!
//! ```text
//!   random tree ─adapt─► tree ─compile─► model's program ─model─► what is to be found
//!                                               │
//!                                             plan: which construct of the library stands for what
//!                                               │
//!                                               ▼
//!                             the interpreter, under the detector
//!                                  │                  │
//!                                script            conflicts
//!                       does it do the same?       what was found?
//! ```
//!
//! Nothing here is instrumented: it is no part of the programs that are checked. Functions that the
//! interpreter calls while a program runs are therefore never inlined into it.

mod adapt;
mod case;
mod conflicts;
mod layout;
mod model;
#[path = "../observed.rs"]
mod observed;
mod panics;
mod plan;
mod script;
mod structured;

pub use case::{Case, Way, prepare};
pub use conflicts::{Heard, heard, listen, observe};
pub use layout::{Layout, WORDS};
pub use model::{Ending, Expected, Unfit};
pub use observed::Observed;
pub use panics::{keep_panics, take_panic};
pub use plan::{Act, Body, Gets, Opening, Operand, Pc, Plan, Slot};
pub use rosser_detect::{Class, Operator};
pub use rosser_model::fuzz::shrink;
pub use rosser_model::syntax::{ast::Block, print};
pub use script::Script;
