//! Functions while which nothing is seen, whatever they call.

use crate::llvm::{Block, Builder, Module, Opcode, Value};

/// Has nothing be seen from the first instruction of a function to where it returns. It does not unwind.
pub fn hide(module: &Module, function: Value, first: Value) {
    let line = function.blocks().flat_map(Block::instructions).find_map(Value::line);
    let condition = module.integer(1);
    let begin = module.external_of(c"rosser_unseen_begin", condition, &[]);
    let token = Builder::before(module, first).call(begin, &[]);
    token.set_line(line);
    let end = module.external(c"rosser_unseen_end_if", &[condition]);
    for block in function.blocks() {
        let last = block.end();
        if last.opcode() == Opcode::Return {
            Builder::before(module, last).call(end, &[token]).set_line(line);
        }
    }
}
