//! What is known of addresses that are distinct.
//!
//! The compiler promises that a `&mut` is the only way to what it refers to while a function runs. Once the function is
//! inlined into a loop, that holds for one iteration and not from one to the next. LLVM says where such a promise
//! begins anew, and its passes heed that in the order they usually have, but not if they run a second time over what
//! was inlined in the first: they keep in registers what another iteration changes, and loops never end. So before the
//! second time, what begins in a loop is forgotten. The rest holds as long as the function runs.

use rustc_hash::FxHashSet;

use crate::fewer;
use crate::llvm::{Block, Module, Scopes, Value};

/// Forgets promises that are made anew in every iteration of a loop.
pub fn forget_in_loops(module: &Module) {
    for function in module.functions().filter(|it| !it.is_declaration()).collect::<Vec<_>>() {
        let in_loops = fewer::blocks_in_loops(function);
        let inside = function.blocks().filter(|block| in_loops.contains(block));
        let begun: FxHashSet<Value> =
            inside.flat_map(Block::instructions).flat_map(Value::begun_scopes).collect();
        if !begun.is_empty() {
            function
                .blocks()
                .flat_map(Block::instructions)
                .for_each(|it| forget(module, it, &begun));
        }
    }
}

fn forget(module: &Module, instruction: Value, forgotten: &FxHashSet<Value>) {
    for which in Scopes::ALL {
        let scopes = instruction.scopes(which);
        let kept: Vec<Value> =
            scopes.iter().copied().filter(|scope| !forgotten.contains(scope)).collect();
        if kept.len() < scopes.len() {
            instruction.set_scopes(which, &kept, module);
        }
    }
}
