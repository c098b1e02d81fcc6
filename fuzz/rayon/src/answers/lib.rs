//! Random programs of rayon's tasks, what is to be found in them, and what hears of what is found.
//!
//! ```text
//!   generate ─► program ─exact─► every pair of accesses in conflict, and its class
//!                  │                                                  │
//!                  ▼                                               compare ─► agrees, or what is wrong
//!      the interpreter, under the detector ─listener─► what was heard ┘
//! ```
//!
//! Nothing here is instrumented: it is no part of the programs that are checked. Functions that the
//! interpreter calls while a program runs are therefore never inlined into it. They neither lock nor
//! allocate, because the detector may call from several threads, and in the middle of anything.

mod compare;
mod exact;
mod generate;
mod listener;
#[path = "../../../src/observed.rs"]
mod observed;
mod program;
mod shrink;
mod tables;
mod text;

pub use compare::{Mode, compare};
pub use exact::{Expected, expect};
pub use generate::generate;
pub use listener::{Heard, Memory, Record, heard, listen, observe, pcs};
pub use observed::Observed;
pub use program::{
    Access, Block, Lock, Object, Op, PLACES, Program, SLOT_WORDS, Scope, Site, Slot, Statement,
    WORDS, Width,
};
pub use rosser_detect::Class;
pub use rosser_model::fuzz::Rng;
pub use shrink::shrink;
pub use tables::{pause, place_slot, scope, set_scope, slot};
