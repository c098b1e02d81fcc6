//! Checks are put in: a call of the runtime before every access of the program.
//!
//! Every load and store, copy and fill, vector access with a mask or with many addresses, and atomic operation of a
//! function that is seen is accounted for here, whatever its size. What needs no check, and why:
//!
//! * variables on the stack whose address nobody else gets (`escape`), and variables that never change;
//! * a read that the same step follows up with a write of the same bytes, and what has just been checked
//!   (`again`): nothing in between may end the step;
//! * what moves tasks, iterators and closures from one owner to the next ([`crate::ownership`]).

mod again;
pub mod allocations;
pub mod assembly;
mod atomics;
mod escape;
mod hidden;
mod old_value;
mod plain;
mod vectors;
mod x86;

use rosser_abi::checks;
use rosser_abi::names::symbols;

use crate::checked::Checked;
use crate::llvm::{Block, Builder, Module, Opcode, Value};
use crate::unseen;

use self::escape::Escapes;
use self::plain::Access;

/// Promises of functions that hold no longer once they call the runtime.
const BROKEN: [&str; 2] = ["memory", "speculatable"];

/// Which accesses of a module are not checked although their functions are seen.
pub trait Unchecked {
    /// Whether a plain access of a function is none that matters.
    fn has(&self, function: Value, instruction: Value) -> bool;

    /// Whether nothing is to be seen while a function runs, whatever it calls.
    fn hides(&self, function: Value) -> bool;
}

/// Puts checks into all functions of a module that are seen.
pub fn into_module(module: &Checked, unchecked: &impl Unchecked) {
    let functions: Vec<Value> = module.functions().filter(|it| unseen::is_seen(*it)).collect();
    for function in functions {
        into_function(module, function, unchecked);
    }
    let defined: Vec<Value> = module.functions().filter(|it| !it.is_declaration()).collect();
    for function in defined.into_iter().filter(|it| unchecked.hides(*it)) {
        hide(module, function);
    }
    forget_promises(module);
}

/// Has nothing be seen while a function runs.
fn hide(module: &Checked, function: Value) {
    let first = function.blocks().next().and_then(|block| block.instructions().next());
    let is_left_out = |first| module.goes_without(&[checks::Kind::Hidden], first);
    if let Some(first) = first.filter(|first| !is_left_out(*first)) {
        hidden::hide(module, function, first);
    }
}

fn into_function(module: &Checked, function: Value, unchecked: &impl Unchecked) {
    let mut escapes = Escapes::new(function);
    for block in function.blocks() {
        let instructions: Vec<Value> = block.instructions().collect();
        let mut found: Vec<(Value, Vec<Access>)> = instructions
            .iter()
            .map(|it| {
                let is_left_out = unchecked.has(function, *it);
                (*it, if is_left_out { Vec::new() } else { plain::accesses(module, *it) })
            })
            .collect();
        escapes.enter(block);
        for (instruction, accesses) in &mut found {
            accesses.retain(|access| escapes.can_be_shared(access.address));
            escapes.pass(*instruction);
        }
        again::leave_out(&mut found);
        for (instruction, accesses) in found {
            for access in accesses {
                access.check_before(module, instruction);
            }
            vectors::check(module, instruction);
            assembly::check(module, instruction);
            allocations::tell(module, instruction);
            atomics::replace(module, instruction);
        }
    }
}

/// What LLVM has found out about functions was true before they called the runtime.
fn forget_promises(module: &Module) {
    for function in module.functions() {
        if symbols::is_callback(function.name()) || function.name().starts_with("llvm.") {
            continue;
        }
        for promise in BROKEN {
            function.take_promise(promise);
        }
        let instructions = function.blocks().flat_map(Block::instructions);
        for call in instructions.filter(|it| matches!(it.opcode(), Opcode::Call | Opcode::Invoke)) {
            if call.callee().is_none_or(|callee| !callee.name().starts_with("llvm.")) {
                for promise in BROKEN {
                    call.take_promise_of_call(promise);
                }
            }
        }
    }
}

/// Calls a function of the runtime that returns nothing, in the name of an instruction that follows; not if checks
/// of one of these kinds are left out.
fn call_before(
    module: &Checked,
    kinds: &[checks::Kind],
    instruction: Value,
    build: impl FnOnce(&Builder) -> (Value, Vec<Value>),
) {
    if module.goes_without(kinds, instruction) {
        return;
    }
    let builder = Builder::before(module, instruction);
    let (function, arguments) = build(&builder);
    builder.call(function, &arguments).set_line(instruction.line());
}
