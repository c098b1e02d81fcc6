//! Checks are taken out of loops.
//!
//! There is one before every access ([`crate::insert`]). In a loop that goes through an array the checks of all
//! iterations together are one check of a range, and that can be made where the loop is left: on every way
//! out, with as many elements as iterations were begun. Nothing needs to be known about how often the loop
//! runs, and a panic in the middle comes out right by itself. What is left of the loop computes, and is
//! vectorised later. Ranges that inner loops leave behind are taken out of outer ones in turn.
//!
//! What is left of loops that the compiler has unrolled is treated likewise: see [`neighbours`].
//!
//! That a check comes late changes no answer as long as it is made in the same step, and before its memory is
//! freed. So nothing in the loop may begin, end or wait for a task, free memory, or fail to return: see
//! [`Harmless`].

mod adjoining;
mod calls;
mod deferral;
mod graph;
mod linear;
mod loops;
mod neighbours;

use std::ffi::CStr;

pub use self::calls::Access;
use self::calls::Harmless;
pub use self::graph::Graph;
pub use self::loops::{blocks_in_loops, blocks_in_tight_loops};
use crate::checked::Checked;
use crate::llvm::{Block, Machine, Module, Opcode, Value};

/// How many loops deep ranges are followed outwards.
const ROUNDS: usize = 3;

/// The passes that give loops the form that is looked for.
const SIMPLE_LOOPS: &CStr = c"function(loop-simplify,lcssa)";

/// The passes that express what a loop has counted by what is known before it.
const KNOWN_LENGTHS: &CStr = c"function(loop-simplify,lcssa,loop(indvars),instsimplify,\
    loop-mssa(licm),loop-simplify,lcssa)";

/// Takes checks of a module out of its loops.
pub fn make_fewer(module: &Checked, machine: &Machine) -> Result<(), String> {
    for round in 0..ROUNDS {
        // From the second round on, how long the ranges are has to be computed before outer loops.
        module.run(if round == 0 { SIMPLE_LOOPS } else { KNOWN_LENGTHS }, machine)?;
        if !in_each_function(module, deferral::in_function) {
            break;
        }
    }
    in_each_function(module, neighbours::join);
    Ok(())
}

/// Changes all functions; whether any was changed.
fn in_each_function(
    module: &Checked,
    change: impl Fn(&Checked, Value, &mut Harmless) -> bool,
) -> bool {
    let functions: Vec<Value> = module.functions().filter(|it| !it.is_declaration()).collect();
    let mut harmless = Harmless::default();
    let mut changed = false;
    for function in functions {
        changed |= change(module, function, &mut harmless);
    }
    changed
}

/// Sees to it that no two checks become one, which would be of neither's line, and that none is the last thing
/// that a function does: the runtime would take the caller for who made it. The same goes for functions of the C
/// library, in whose place the runtime is called.
pub fn keep_in_place(module: &Module) {
    let instructions = module.functions().flat_map(Value::blocks).flat_map(Block::instructions);
    let calls = instructions.filter(|it| it.opcode() == Opcode::Call);
    calls.filter(|call| calls::is_told_where(*call)).for_each(|call| module.keep_in_place(call));
}
