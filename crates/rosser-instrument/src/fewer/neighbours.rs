//! Checks of neighbouring bytes that follow each other become one.
//!
//! Small loops are unrolled before checks are put in: what is left of them is a row of accesses to one block of
//! memory, all of the same line. One check of the range does, made where the last of them was. As in loops,
//! nothing in between may begin, end or wait for a task, or free memory.

use rosser_abi::checks::Kind;

use super::adjoining::{self, Bytes, Group};
use super::calls::{self, Access, Check, Harmless};
use super::linear::Linear;
use crate::checked::Checked;
use crate::llvm::{Block, Builder, Line, Opcode, Value};

/// Fewer checks than this are made one by one: most of them may find nothing new, which costs less inlined
/// than a call.
const WORTH_IT: usize = 8;

/// A check among others.
struct One {
    call: Value,
    access: Access,
    address: Linear,
    len: i64,
    line: Option<Line>,
    /// The how manieth of its row it is.
    rank: usize,
}

/// Joins the checks of a function; whether there were any to join.
pub fn join(module: &Checked, function: Value, harmless: &mut Harmless) -> bool {
    let mut changed = false;
    for block in function.blocks() {
        changed |= in_block(module, block, harmless);
    }
    changed
}

fn in_block(module: &Checked, block: Block, harmless: &mut Harmless) -> bool {
    let mut changed = false;
    let mut row = Vec::new();
    let instructions: Vec<Value> = block.instructions().collect();
    for instruction in instructions {
        let is_call = instruction.opcode() == Opcode::Call;
        if is_call && let Some(Check::Bytes(access, len)) = calls::check(instruction) {
            let address = Linear::of(module, instruction.operands()[0]);
            let (line, rank) = (instruction.line(), row.len());
            row.push(One { call: instruction, access, address, len, line, rank });
        } else if !harmless.is(instruction) {
            changed |= join_row(module, std::mem::take(&mut row));
        }
    }
    join_row(module, row) || changed
}

fn join_row(module: &Checked, mut row: Vec<One>) -> bool {
    row.retain(|one| one.address.is_address());
    let mut changed = false;
    for Group { members, len } in adjoining::groups(row) {
        if let Some(len) = len.filter(|_| members.len() >= WORTH_IT) {
            make_one(module, &members, len);
            changed = true;
        }
    }
    changed
}

impl Bytes for One {
    type Like = (Access, Option<Line>, Vec<(Value, i64)>);

    fn like(&self) -> Self::Like {
        (self.access, self.line, self.address.terms.clone())
    }

    fn extent(&self) -> (i64, Option<i64>) {
        (self.address.constant, Some(self.len))
    }
}

/// Replaces checks by one of all their bytes together. The first of them begins first.
fn make_one(module: &Checked, together: &[One], len: i64) {
    let first = &together[0];
    let last = together.iter().max_by_key(|one| one.rank).unwrap_or(first);
    if !module.goes_without(&[Kind::Row], last.call) {
        let builder = Builder::before(module, last.call);
        let address = first.address.build_address(module, &builder);
        let arguments = [address, module.number(len)];
        builder.call(first.access.range_function(module), &arguments).set_line(first.line);
    }
    for one in together {
        one.call.erase();
    }
}
