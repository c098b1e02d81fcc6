//! LLVM, as far as it is needed: modules of bitcode, the instructions in them, and new ones.
//!
//! It is the library of the compiler that made the bitcode, loaded at run time: no other reads it
//! reliably. Handles of values, blocks and types are pointers into the module that they come from.
//! They are used while that module lives and, once an instruction is erased, no more.

mod api;
mod builder;
mod debug;
mod module;
mod scopes;
mod value;

pub use api::load;
pub use builder::{Builder, Comparison};
pub use debug::{Line, Marks, Subprogram};
pub use module::{Machine, Module};
pub use scopes::Scopes;
pub use value::{Block, Linkage, Opcode, Type, TypeKind, Value};
