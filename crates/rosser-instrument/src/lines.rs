//! Accesses that the compiler has no line for get that of what comes before them.
//!
//! Rustc leaves out the lines of the loop that fills an array, as `[value; 3]` has it; but where it goes to that loop,
//! it has that of the expression. Without a line, a finding would name none.

use crate::fewer::Graph;
use crate::llvm::{Block, Line, Module, Opcode, Value};

/// Completes the lines of a module in which nothing has been inlined yet.
pub fn complete(module: &Module) {
    for function in module.functions().filter(|it| it.line_of_entry().is_some()) {
        let mut instructions = function.blocks().flat_map(Block::instructions);
        if instructions.any(is_without) {
            complete_function(&Graph::new(function));
        }
    }
}

/// Whether an instruction accesses memory and has no line.
fn is_without(instruction: Value) -> bool {
    let is_access = matches!(instruction.opcode(), Opcode::Load | Opcode::Store | Opcode::Call);
    is_access && instruction.line().is_none()
}

/// Blocks come after those that lead to them, but for the way back in loops. What a function does before its first line
/// is to get its arguments: that keeps having none.
fn complete_function(graph: &Graph) {
    let mut ends: Vec<Option<Line>> = vec![None; graph.blocks.len()];
    for (number, block) in graph.blocks.iter().enumerate() {
        let mut line = graph.predecessors[number].iter().find_map(|&before| ends[before]);
        for instruction in block.instructions() {
            if is_without(instruction) {
                instruction.set_line(line);
            }
            line = instruction.line().or(line);
        }
        ends[number] = line;
    }
}
