//! Which calls are checks, and which leave everything as it is for those that wait.

use rosser_abi::names::symbols;
use rustc_hash::FxHashMap;

use crate::llvm::{Block, Module, Opcode, Value};

/// Whether a check is of a read or of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    Read,
    Write,
}

impl Access {
    /// The function that checks this kind of access of any length: an address, and how many bytes.
    pub fn range_function(self, module: &Module) -> Value {
        let name = match self {
            Self::Read => c"__tsan_read_range",
            Self::Write => c"__tsan_write_range",
        };
        module.external(name, &[module.pointer(), module.i64()])
    }
}

/// What a check is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// An access to as many bytes as this.
    Bytes(Access, i64),
    /// As many bytes as the second argument says.
    Range(Access),
}

/// What the call checks, if that is all it does.
pub fn check(call: Value) -> Option<Check> {
    let callee = call.callee()?;
    let name = callee.name().strip_prefix("__tsan_")?;
    match name {
        "read_range" => return Some(Check::Range(Access::Read)),
        "write_range" => return Some(Check::Range(Access::Write)),
        _ => {}
    }
    let name = name.strip_prefix("unaligned_").unwrap_or(name);
    let (access, size) = if let Some(size) = name.strip_prefix("read_write") {
        (Access::Write, size)
    } else if let Some(size) = name.strip_prefix("read") {
        (Access::Read, size)
    } else {
        (Access::Write, name.strip_prefix("write")?)
    };
    Some(Check::Bytes(access, size.parse().ok()?))
}

/// True if the callee reads its return address to find the source line: callbacks, the functions that inlined callbacks
/// call, those that are told of tasks, and functions of the C library, which have no mangled names.
pub fn is_told_where(call: Value) -> bool {
    const OTHERS: [&str; 3] = ["_R", "_ZN", "llvm."];
    call.callee().is_some_and(|callee| {
        let name = callee.name();
        let is_ours = symbols::is_callback(name);
        let is_of_c = || callee.is_declaration() && !OTHERS.iter().any(|it| name.starts_with(it));
        is_ours || is_of_c()
    })
}

/// Copies and fills: they have checks of their own, and are nothing that others would have to come before.
const COPIES: [&str; 3] = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."];

/// What LLVM must know of a function: it frees nothing, orders nothing, and is always come back from.
const PROMISES: [&str; 4] = ["nofree", "nosync", "nounwind", "willreturn"];

/// Which instructions a check may be made after instead of before.
#[derive(Default)]
pub struct Harmless {
    functions: FxHashMap<Value, bool>,
}

impl Harmless {
    /// Not if a task might begin, end or wait in between, or memory be freed; nor if it might not be come back
    /// from.
    pub fn is(&mut self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::Fence
            | Opcode::CompareExchange
            | Opcode::Update
            | Opcode::AtomicLoad
            | Opcode::AtomicStore
            | Opcode::Jump
            | Opcode::Invoke
            | Opcode::Pad => false,
            Opcode::Call => {
                let Some(callee) = instruction.callee() else { return false };
                check(instruction).is_some()
                    || COPIES.iter().any(|copy| callee.name().starts_with(copy))
                    || instruction.promises(callee, &PROMISES) && self.is_function(callee)
            }
            _ => true,
        }
    }

    /// Whether all that a function does is harmless, if that can be seen. What LLVM promises is not enough
    /// then: it takes relaxed atomic accesses for harmless, and those may have the task wait for another.
    fn is_function(&mut self, function: Value) -> bool {
        if function.is_declaration() {
            return true;
        }
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        // Until it is known: functions that call each other are not followed round and round.
        self.functions.insert(function, false);
        let mut instructions = function.blocks().flat_map(Block::instructions);
        let harmless = instructions.all(|instruction| self.is(instruction));
        self.functions.insert(function, harmless);
        harmless
    }
}
