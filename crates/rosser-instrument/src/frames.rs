//! A function that calls another stays on the stack until that returns.
//!
//! If the last thing that a function of the program does is to call one of a library, its line is the one that the
//! user knows of what happens there. A jump in place of the call would leave only the line of who called it.

use crate::llvm::{Block, Module, Opcode, Value};

/// Has all calls of a module return to where they are. Loops that the optimiser has made of calls stay loops.
pub fn keep(module: &Module) {
    let instructions = module.functions().flat_map(Value::blocks).flat_map(Block::instructions);
    instructions.filter(|it| it.opcode() == Opcode::Call).for_each(Value::never_jump);
}
