//! Checks that others of the same step make unnecessary.
//!
//! As long as nothing is called and nothing synchronises, one step runs. A read of bytes that it writes afterwards
//! is no worse than that write, and what it has accessed once it may access again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::plain::{Access, Size};
use crate::fewer::Access as Kind;
use crate::llvm::{Opcode, Value};

/// Leaves out checks of instructions that follow each other in a block.
pub fn leave_out(found: &mut [(Value, Vec<Access>)]) {
    followed_by_writes(found);
    made_before(found);
}

/// Whether another step may run after an instruction, or a block end or begin.
fn ends_step(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::Invoke
        | Opcode::Fence
        | Opcode::CompareExchange
        | Opcode::Update
        | Opcode::AtomicLoad
        | Opcode::AtomicStore
        | Opcode::Jump => true,
        Opcode::Call => {
            instruction.callee().is_none_or(|callee| !callee.name().starts_with("llvm."))
        }
        _ => false,
    }
}

fn followed_by_writes(found: &mut [(Value, Vec<Access>)]) {
    let mut written: FxHashMap<Value, u64> = FxHashMap::default();
    for (instruction, accesses) in found.iter_mut().rev() {
        if ends_step(*instruction) {
            written.clear();
        }
        accesses.retain(|access| match (access.kind, access.size) {
            (Kind::Read, Size::Bytes(size)) => {
                written.get(&access.address).is_none_or(|&bytes| bytes < size)
            }
            _ => true,
        });
        for access in accesses {
            if let (Kind::Write, Size::Bytes(size)) = (access.kind, access.size) {
                let bytes = written.entry(access.address).or_default();
                *bytes = size.max(*bytes);
            }
        }
    }
}

fn made_before(found: &mut [(Value, Vec<Access>)]) {
    let mut made: FxHashSet<(Value, Size, bool)> = FxHashSet::default();
    for (instruction, accesses) in found {
        accesses.retain(|access| {
            let is_write = access.kind == Kind::Write;
            let is_new = |is_write| !made.contains(&(access.address, access.size, is_write));
            is_new(true) && (is_write || is_new(false))
        });
        made.extend(accesses.iter().map(|it| (it.address, it.size, it.kind == Kind::Write)));
        if ends_step(*instruction) {
            made.clear();
        }
    }
}
