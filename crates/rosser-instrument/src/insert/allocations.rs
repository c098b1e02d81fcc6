//! Blocks of memory: the runtime is told of every one that the program gets from its allocator and gives back.
//!
//! What an allocator of the program's own does inside is not looked at: which block it hands out is outside of what
//! a verdict is about.

use std::ffi::CStr;

use rosser_abi::checks::Kind;
use rosser_abi::names::symbols::{ALLOCATOR, DEFAULT_ALLOCATOR};

use crate::checked::Checked;
use crate::llvm::{Block, Builder, Opcode, Value};

/// What the names of the program's allocator end with.
const FUNCTIONS: [&str; 4] =
    ["___rust_alloc", "___rust_alloc_zeroed", "___rust_realloc", "___rust_dealloc"];

/// Tells of what a call allocates or frees.
pub fn tell(module: &Checked, call: Value) {
    if !matches!(call.opcode(), Opcode::Call | Opcode::Invoke) {
        return;
    }
    let Some(callee) = call.callee().filter(|callee| callee.name().contains(ALLOCATOR)) else {
        return;
    };
    let name = callee.name();
    let arguments = call.arguments();
    if name.ends_with("___rust_dealloc") {
        let arguments = [arguments[0], arguments[1]];
        tell_before(module, Kind::Deallocation, call, c"rosser_freed", arguments);
    } else if name.ends_with("___rust_realloc") {
        let block = [arguments[0], arguments[1]];
        tell_before(module, Kind::Reallocation, call, c"rosser_reallocates", block);
        tell_after(module, Kind::Reallocation, call, arguments[3]);
    } else if name.ends_with("___rust_alloc") || name.ends_with("___rust_alloc_zeroed") {
        tell_after(module, Kind::Allocation, call, arguments[0]);
    }
}

fn tell_before(module: &Checked, kind: Kind, call: Value, name: &CStr, arguments: [Value; 2]) {
    super::call_before(module, &[kind], call, |_| {
        (module.external(name, &[module.pointer(), module.i64()]), arguments.to_vec())
    });
}

fn tell_after(module: &Checked, kind: Kind, call: Value, size: Value) {
    let Some(next) = call.next().filter(|next| !module.goes_without(&[kind], *next)) else {
        return;
    };
    let builder = Builder::before(module, next);
    let allocated = module.external(c"rosser_allocated", &[module.pointer(), module.i64()]);
    builder.call(allocated, &[call, size]).set_line(call.line());
}

/// Whether a function, which is defined, is one of an allocator of the program's own.
pub fn is_of_allocator(function: Value) -> bool {
    let is_one = function.name().contains(ALLOCATOR)
        && FUNCTIONS.iter().any(|name| function.name().ends_with(name));
    let calls_default = |instruction: Value| {
        matches!(instruction.opcode(), Opcode::Call | Opcode::Invoke)
            && instruction.callee().is_some_and(|callee| callee.name().contains(DEFAULT_ALLOCATOR))
    };
    is_one && !function.blocks().flat_map(Block::instructions).any(calls_default)
}
