//! Assembly that stores a vector past the caches: the standard library has these instructions so.

use rosser_runfile::checks;

use super::call_before;
use crate::checked::Checked;
use crate::fewer::Access as Kind;
use crate::llvm::{Opcode, TypeKind, Value};

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
