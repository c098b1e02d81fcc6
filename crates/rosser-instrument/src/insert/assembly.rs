//! Assembly: that which stores a vector past the caches is checked, since the standard library has these instructions
//! so. Of other assembly it is only told whether it may access memory.

use rosser_abi::checks;

use super::call_before;
use crate::checked::Checked;
use crate::fewer::Access as Kind;
use crate::llvm::{Block, Module, Opcode, TypeKind, Value};

/// Instructions that access memory without an operand that says so, or go where nobody sees.
const IMPLICIT: [&str; 14] = [
    "call", "syscall", "sysenter", "int", "push", "pop", "movs", "stos", "lods", "scas", "cmps",
    "xlat", "rep", "enter",
];

/// Whether a module has assembly that may access memory and is not checked.
pub fn is_unseen(module: &Module) -> bool {
    let functions = module.functions().filter(|it| !it.is_declaration());
    let instructions = functions.flat_map(Value::blocks).flat_map(Block::instructions);
    let calls = instructions.filter(|it| matches!(it.opcode(), Opcode::Call | Opcode::Invoke));
    module.has_assembly() || calls.filter_map(Value::assembly).any(|text| may_access_memory(&text))
}

fn may_access_memory(text: &str) -> bool {
    let is_streaming = |it: &str| it.starts_with("movnt") || it.starts_with("vmovnt");
    let instructions = text.split([';', '\n']).map(str::trim);
    instructions.filter(|it| !is_streaming(it)).any(|it| {
        it.contains(['[', '(']) || IMPLICIT.iter().any(|implicit| it.starts_with(implicit))
    })
}

/// Checks what an instruction for streaming stores writes. Of other assembly nothing is known.
pub fn check(module: &Checked, instruction: Value) {
    if instruction.opcode() != Opcode::Call {
        return;
    }
    let Some(text) = instruction.assembly() else { return };
    let text = text.trim_start();
    let kind = if text.starts_with("vmovntdqa") || text.starts_with("movntdqa") {
        Kind::Read
    } else if text.starts_with("movnt") || text.starts_with("vmovnt") {
        Kind::Write
    } else {
        return;
    };
    let arguments = instruction.arguments();
    let Some(&address) = arguments.iter().find(|it| it.kind() == TypeKind::Pointer) else { return };
    let data = match kind {
        Kind::Read => Some(instruction.type_of()),
        Kind::Write => {
            arguments.iter().map(|it| it.type_of()).find(|it| it.kind() != TypeKind::Pointer)
        }
    };
    let Some(data) = data else { return };
    let size = module.number(module.bytes_of(data).cast_signed());
    let left_out_as = match kind {
        Kind::Read => checks::Kind::StreamingLoad,
        Kind::Write => checks::Kind::StreamingStore,
    };
    call_before(module, &[left_out_as], instruction, |_| {
        (kind.range_function(module), vec![address, size])
    });
}

#[cfg(test)]
mod tests {
    use super::may_access_memory;

    #[test]
    fn assembly_that_stays_in_registers_is_told_apart() {
        for text in
            ["", "mov rsi, rbx\ncpuid\nxchg rsi, rbx", "lfence; rdtsc", "movntdq [rdi], xmm0"]
        {
            assert!(!may_access_memory(text), "{text}");
        }
        for text in
            ["lock inc qword ptr [${0:q}]", "nop\nmovq %rax, (%rdi)", "rep movsb", "syscall"]
        {
            assert!(may_access_memory(text), "{text}");
        }
    }
}
