//! Which functions are seen.
//!
//! All of the program are, but for a few of the shim's that become part of it: what they do between tasks is not
//! for the detector to see. They are told by the section that they ask for. LLVM inlines no function that is seen
//! into one that is not, nor the other way round.

use std::ffi::CStr;

use crate::insert::allocations::is_of_allocator;
use crate::llvm::{Module, Value};
use crate::standard_library;

/// The section that functions which are not to be seen ask for.
const UNSEEN: &CStr = c".text.rosser.unseen";

/// The attribute of functions that are seen: LLVM's own, for the sake of inlining.
const SEEN: &str = "sanitize_thread";

/// Marks the functions of a module that are seen.
pub fn tell_apart(module: &Module) {
    for function in module.functions().filter(|it| !it.is_declaration()) {
        if function.section() == Some(UNSEEN) {
            function.set_section(c"");
        } else if !function.has_promise("naked") {
            module.promise(function, SEEN);
        }
        if is_of_allocator(function) {
            // Who calls it is told apart by the call.
            function.take_promise("alwaysinline");
            module.promise(function, "noinline");
        }
    }
}

/// The same for a module of the standard library, none of whose functions asks for that section.
pub fn tell_apart_of_std(module: &Module) {
    for function in module.functions().filter(|it| !it.is_declaration()) {
        if standard_library::is_seen(function.name()) && !function.has_promise("naked") {
            module.promise(function, SEEN);
        }
    }
}

/// Whether a function is defined here, and seen.
pub fn is_seen(function: Value) -> bool {
    !function.is_declaration() && function.has_promise(SEEN)
}
