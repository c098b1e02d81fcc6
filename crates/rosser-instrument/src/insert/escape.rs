//! What other tasks can have the address of.
//!
//! A variable on the stack whose address is nowhere but in the function itself, or in functions that keep no copy
//! of it beyond their return, is touched by nobody else while this function's own code runs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Opcode, Value};

/// How many choices of addresses are followed, one inside the other.
const CHOICES: usize = 6;

/// What is known of the variables of a function.
#[derive(Default)]
pub struct Escapes {
    private: FxHashMap<Value, bool>,
}

impl Escapes {
    /// Whether another task may access what is at this address, and one of the two change it.
    pub fn can_be_shared(&mut self, address: Value) -> bool {
        self.may_be(address, CHOICES)
    }

    fn may_be(&mut self, address: Value, choices: usize) -> bool {
        if let Some(base) = address.constant_base() {
            return self.may_be(base, choices);
        }
        match address.opcode() {
            Opcode::GetElementPtr | Opcode::AddressCast | Opcode::Freeze => {
                self.may_be(address.operands()[0], choices)
            }
            Opcode::Select if choices > 0 => {
                let operands = address.operands();
                operands[1..].iter().any(|choice| self.may_be(*choice, choices - 1))
            }
            Opcode::Phi if choices > 0 => {
                address.incoming().iter().any(|choice| self.may_be(choice.0, choices - 1))
            }
            Opcode::Alloca => !*self.private.entry(address).or_insert_with(|| is_private(address)),
            _ => !address.is_constant_variable(),
        }
    }
}

/// Whether the address of a variable on the stack stays in its function.
fn is_private(variable: Value) -> bool {
    let mut seen = FxHashSet::from_iter([variable]);
    let mut open = vec![variable];
    while let Some(address) = open.pop() {
        for user in address.users() {
            match user.opcode() {
                Opcode::Load | Opcode::Compare => {}
                Opcode::Store if user.operands()[0] != address => {}
                Opcode::GetElementPtr
                | Opcode::Phi
                | Opcode::Select
                | Opcode::Freeze
                | Opcode::AddressCast => {
                    if seen.insert(user) {
                        open.push(user);
                    }
                }
                Opcode::Call | Opcode::Invoke if is_not_kept(user, address) => {}
                _ => return false,
            }
        }
    }
    true
}

/// Whether who is called keeps no copy of an address.
fn is_not_kept(call: Value, address: Value) -> bool {
    const WITHOUT_A_TRACE: [&str; 6] = [
        "llvm.lifetime.",
        "llvm.memcpy.",
        "llvm.memmove.",
        "llvm.memset.",
        "llvm.dbg.",
        "llvm.assume",
    ];
    let is_intrinsic = call.callee().is_some_and(|callee| {
        WITHOUT_A_TRACE.iter().any(|prefix| callee.name().starts_with(prefix))
    });
    let arguments = call.arguments();
    let passed = arguments.iter().enumerate().filter(|(_, argument)| **argument == address);
    is_intrinsic || passed.map(|(index, _)| index).all(|index| call.is_not_kept(index))
}
