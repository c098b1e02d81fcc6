//! Plain accesses: loads and stores, copies and fills, arguments that are copied.

use std::ffi::CString;

use rosser_abi::checks::Kind as By;

use super::call_before;
use crate::checked::Checked;
use crate::fewer::Access as Kind;
use crate::llvm::{Module, Opcode, Value};

/// How many bytes an access is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// As many bytes as this.
    Bytes(u64),
    /// As many as a value says.
    Value(Value),
}

/// A plain access of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub address: Value,
    pub size: Size,
    pub kind: Kind,
    /// What makes it, as one of the kinds of checks.
    by: By,
    /// What the address is known to be a multiple of.
    pub alignment: u64,
}

/// More bytes than this are checked as a range.
const IN_PARTS: u64 = 64;

/// The widest check of one part.
const WIDEST: u64 = 16;

/// The bytes of a word that one check can be of.
const WORD: u64 = 8;

/// Functions of the C library that LLVM may make loads of, later.
const COMPARISONS: [&str; 2] = ["memcmp", "bcmp"];

/// The plain accesses of an instruction.
pub fn accesses(module: &Module, instruction: Value) -> Vec<Access> {
    match instruction.opcode() {
        Opcode::Load if instruction.is_invariant() => Vec::new(),
        Opcode::Load => {
            let address = instruction.operands()[0];
            let size = module.bytes_of(instruction.type_of());
            one(By::Load, address, size, instruction.alignment())
        }
        Opcode::Store => {
            let operands = instruction.operands();
            let size = module.bytes_of(operands[0].type_of());
            one(By::Store, operands[1], size, instruction.alignment())
        }
        Opcode::Call | Opcode::Invoke => of_call(module, instruction),
        _ => Vec::new(),
    }
}

fn one(by: By, address: Value, size: u64, alignment: u64) -> Vec<Access> {
    if size == 0 {
        return Vec::new();
    }
    vec![Access::new(by, address, Size::Bytes(size), alignment)]
}

fn of_call(module: &Module, call: Value) -> Vec<Access> {
    let arguments = call.arguments();
    let Some(callee) = call.callee() else { return copied_arguments(module, call, &arguments) };
    let name = callee.name();
    let Some(name) = name.strip_prefix("llvm.") else {
        if COMPARISONS.contains(&name) {
            let size = size_of(arguments[2]);
            let read = |address| Access::new(By::Comparison, address, size, 1);
            return vec![read(arguments[0]), read(arguments[1])];
        }
        return copied_arguments(module, call, &arguments);
    };
    let is = |prefix: &str| name.starts_with(prefix);
    if is("memcpy.") || is("memmove.") {
        let size = size_of(arguments[2]);
        let alignment = |index| call.argument_alignment(index);
        vec![
            Access::new(By::CopySource, arguments[1], size, alignment(1)),
            Access::new(By::CopyDestination, arguments[0], size, alignment(0)),
        ]
    } else if is("memset.") {
        let (size, alignment) = (size_of(arguments[2]), call.argument_alignment(0));
        vec![Access::new(By::Fill, arguments[0], size, alignment)]
    } else {
        Vec::new()
    }
}

fn size_of(bytes: Value) -> Size {
    bytes.as_number().map_or(Size::Value(bytes), |bytes| Size::Bytes(bytes.cast_unsigned()))
}

/// Who is called gets copies of what these arguments point to.
fn copied_arguments(module: &Module, call: Value, arguments: &[Value]) -> Vec<Access> {
    let copied = arguments.iter().enumerate().filter_map(|(index, &address)| {
        let size = Size::Bytes(module.bytes_of(call.copied_argument(index)?));
        Some(Access::new(By::CopiedArgument, address, size, 1))
    });
    copied.collect()
}

impl Access {
    fn new(by: By, address: Value, size: Size, alignment: u64) -> Self {
        let kind = match by {
            By::Store | By::CopyDestination | By::Fill => Kind::Write,
            _ => Kind::Read,
        };
        Self { address, size, kind, by, alignment }
    }

    /// Puts the check before the instruction that makes the access.
    pub fn check_before(&self, module: &Checked, instruction: Value) {
        match self.size {
            Size::Bytes(0) => {}
            Size::Bytes(size) if size <= IN_PARTS => {
                for (offset, bytes) in parts(size, self.alignment) {
                    self.check_part(module, instruction, offset, bytes);
                }
            }
            Size::Bytes(size) => {
                let size = module.number(size.cast_signed());
                self.check_range(module, instruction, size);
            }
            Size::Value(size) => self.check_range(module, instruction, size),
        }
    }

    fn check_range(&self, module: &Checked, instruction: Value, size: Value) {
        let by_size = match self.kind {
            Kind::Read => By::ReadRange,
            Kind::Write => By::WriteRange,
        };
        call_before(module, &[self.by, by_size], instruction, |builder| {
            let is_short = size.type_of() != module.i64();
            let size = if is_short { builder.widen(size, module.i64()) } else { size };
            (self.kind.range_function(module), vec![self.address, size])
        });
    }

    fn check_part(&self, module: &Checked, instruction: Value, offset: u64, bytes: u64) {
        let is_aligned = is_within_words(bytes, self.alignment_at(offset));
        let by_size = by_size(self.kind, bytes, is_aligned);
        let unaligned = if is_aligned { "" } else { "unaligned_" };
        let kind = match self.kind {
            Kind::Read => "read",
            Kind::Write => "write",
        };
        let name = CString::new(format!("__tsan_{unaligned}{kind}{bytes}"));
        let name = name.expect("names have no zeros");
        call_before(module, &[self.by, by_size], instruction, |builder| {
            let address = match offset {
                0 => self.address,
                _ => builder.offset(self.address, module.number(offset.cast_signed())),
            };
            (module.external(&name, &[module.pointer()]), vec![address])
        });
    }

    fn alignment_at(&self, offset: u64) -> u64 {
        alignment_at(self.alignment, offset)
    }
}

/// The kind of a check of this many bytes.
fn by_size(kind: Kind, bytes: u64, is_aligned: bool) -> By {
    let (read, write) = match bytes {
        _ if !is_aligned => (By::ReadUnaligned, By::WriteUnaligned),
        1 => (By::Read1, By::Write1),
        2 => (By::Read2, By::Write2),
        4 => (By::Read4, By::Write4),
        8 => (By::Read8, By::Write8),
        16 => (By::Read16, By::Write16),
        _ => (By::ReadOther, By::WriteOther),
    };
    match kind {
        Kind::Read => read,
        Kind::Write => write,
    }
}

/// The alignment of an address that is this many bytes after one with `alignment`.
fn alignment_at(alignment: u64, offset: u64) -> u64 {
    let lowest = |number: u64| if number == 0 { u64::MAX } else { number & number.wrapping_neg() };
    lowest(alignment.max(1)).min(lowest(offset))
}

/// True if this many bytes at an address with that alignment lie in one word, or are whole words.
fn is_within_words(bytes: u64, alignment: u64) -> bool {
    alignment >= WORD || bytes < WORD && alignment >= bytes.next_power_of_two()
}

/// The parts that an access is checked in: where each begins, and how long it is. Each is within a word or made of
/// whole ones, if the alignment tells.
fn parts(size: u64, alignment: u64) -> Vec<(u64, u64)> {
    let mut parts = Vec::new();
    let mut offset = 0;
    while offset < size {
        let left = size - offset;
        let at = alignment_at(alignment, offset);
        let bytes = match left {
            WIDEST.. if at >= WORD => WIDEST,
            WORD.. if at >= WORD => WORD,
            // What crosses words is looked at by a call, which may as well be of all that is left.
            WIDEST.. => WIDEST,
            WORD.. => WORD,
            _ => left,
        };
        parts.push((offset, bytes));
        offset += bytes;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{is_within_words, parts};

    #[test]
    fn all_bytes_are_in_one_part() {
        for size in 1..=64 {
            for alignment in [1, 2, 4, 8, 16, 32] {
                let mut next = 0;
                for (offset, bytes) in parts(size, alignment) {
                    assert_eq!(offset, next);
                    assert!(bytes <= 8 || bytes == 16);
                    next += bytes;
                }
                assert_eq!(next, size);
            }
        }
    }

    #[test]
    fn words_are_whole_where_the_alignment_tells() {
        assert_eq!(parts(24, 8), [(0, 16), (16, 8)]);
        assert_eq!(parts(12, 8), [(0, 8), (8, 4)]);
        assert_eq!(parts(3, 1), [(0, 3)]);
        assert_eq!(parts(32, 32), [(0, 16), (16, 16)]);
        assert!(is_within_words(3, 4) && is_within_words(4, 4) && is_within_words(16, 8));
        assert!(!is_within_words(3, 1) && !is_within_words(8, 4) && !is_within_words(2, 1));
    }
}
