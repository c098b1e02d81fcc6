//! The instrumentation stage: bitcode becomes checked machine code, crate by crate.
//!
//! The compiler leaves bitcode that it has not optimised. Here LLVM, the compiler's own, inlines and simplifies it
//! (`pipeline`); checks are put before every access (`insert`) and taken out of loops (`fewer`); the runtime's fast
//! path is made part of the module (`fast_path`); LLVM optimises and emits it. Nothing is left for the linker to
//! do but to link.
//!
//! ```text
//! bitcode ─► unseen, ownership ─► pipeline::before ─► insert ─► fewer ─► fast_path ─► pipeline::after ─► object
//!            who is looked at     inlining            checks    loops    inlined      vectorisation
//! ```

mod archive;
mod arguments;
mod checked;
mod distinct;
mod fast_path;
mod fewer;
mod foreign;
mod frames;
mod insert;
mod lines;
mod link;
mod llvm;
mod ownership;
mod pipeline;
mod sections;
mod stage;
mod standard_library;
mod twins;
mod unseen;

use std::path::Path;

pub use archive::add_objects;
pub use fast_path::FastPath;
pub use foreign::Exceptions;
pub use link::{Linked, link};
pub use pipeline::Effort;
pub use stage::{Stage, make_runtime};
pub use standard_library::make as make_standard_library;
pub use twins::Twins;

/// Stands for the sources of this crate: another one makes other code.
pub const VERSION: &str = env!("ROSSER_INSTRUMENTS_WITH");

/// Loads the compiler's LLVM. It must be called before anything else here, and fails if a function is missing.
pub fn load(llvm: &Path) -> Result<(), String> {
    llvm::load(llvm).map_err(|error| format!("cannot load {}: {error}", llvm.display()))
}
