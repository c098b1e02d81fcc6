//! Accesses of vectors that a mask restricts, or that have an address for each element.

use super::call_before;
use crate::fewer::Access as Kind;
use crate::llvm::{Builder, Module, Opcode, Type, TypeKind, Value};

/// Where an intrinsic has what it accesses.
struct Masked {
    kind: Kind,
    /// The addresses: one, of the first element, or a vector of them.
    address: usize,
    /// A vector of conditions, or of numbers whose highest bit is one.
    mask: usize,
    /// What is accessed: an argument, or else the result.
    data: Option<usize>,
    /// Whether the elements that are chosen lie side by side in memory.
    is_packed: bool,
}

/// Checks an access of a vector.
pub fn check(module: &Module, instruction: Value) {
    if instruction.opcode() != Opcode::Call {
        return;
    }
    let Some(callee) = instruction.callee() else { return };
    let Some(name) = callee.name().strip_prefix("llvm.") else { return };
    if let Some(masked) = masked(name) {
        masked.check(module, instruction);
    } else if let Some(name) = name.strip_prefix("x86.") {
        check_x86(module, instruction, name);
    }
}

fn masked(name: &str) -> Option<Masked> {
    let is = |prefix: &str| name.starts_with(prefix);
    let (kind, address, mask, data, is_packed) = if is("masked.load.") {
        // The alignment has moved from the arguments to an attribute in newer versions.
        (Kind::Read, 0, usize::MAX, None, false)
    } else if is("masked.store.") {
        (Kind::Write, 1, usize::MAX, Some(0), false)
    } else if is("masked.gather.") {
        (Kind::Read, 0, usize::MAX, None, false)
    } else if is("masked.scatter.") {
        (Kind::Write, 1, usize::MAX, Some(0), false)
    } else if is("masked.expandload.") {
        (Kind::Read, 0, 1, None, true)
    } else if is("masked.compressstore.") {
        (Kind::Write, 1, 2, Some(0), true)
    } else {
        return None;
    };
    Some(Masked { kind, address, mask, data, is_packed })
}

impl Masked {
    fn check(&self, module: &Module, call: Value) {
        let arguments = call.arguments();
        let data = self.data.map_or(call.type_of(), |index| arguments[index].type_of());
        if data.kind() != TypeKind::Vector {
            return;
        }
        let is_mask = |value: &Value| {
            value.kind() == TypeKind::Vector
                && value.type_of().element().kind() == TypeKind::Integer(1)
        };
        let mask = arguments.get(self.mask).filter(|mask| is_mask(mask));
        // The last vector of conditions, if it is not known which argument it is.
        let Some(&mask) = mask.or_else(|| arguments.iter().rfind(|it| is_mask(it))) else { return };
        let lanes = Lanes { kind: self.kind, element: data.element(), len: data.len() };
        if self.is_packed {
            lanes.check_packed(module, call, arguments[self.address], mask);
        } else {
            lanes.check(module, call, arguments[self.address], |builder, lane| {
                builder.widen(builder.element(mask, lane), module.i64())
            });
        }
    }
}

/// The elements of a vector.
struct Lanes {
    kind: Kind,
    element: Type,
    len: u32,
}

impl Lanes {
    fn function(&self, module: &Module) -> Value {
        let name = match self.kind {
            Kind::Read => c"rosser_read_if",
            Kind::Write => c"rosser_write_if",
        };
        module.external(name, &[module.pointer(), module.i64(), module.i64()])
    }

    /// Checks each element if a number, of 64 bits, is not 0.
    fn check(
        &self,
        module: &Module,
        call: Value,
        address: Value,
        condition: impl Fn(&Builder, Value) -> Value,
    ) {
        let size = module.bytes_of(self.element).cast_signed();
        for lane in 0..i64::from(self.len) {
            call_before(module, call, |builder| {
                let number = module.number(lane);
                let address = match address.kind() {
                    TypeKind::Vector => builder.element(address, number),
                    _ => builder.offset(address, module.number(lane * size)),
                };
                let condition = condition(builder, number);
                (self.function(module), vec![address, module.number(size), condition])
            });
        }
    }

    /// Checks as many elements, one after the other, as conditions hold.
    fn check_packed(&self, module: &Module, call: Value, address: Value, mask: Value) {
        let size = module.bytes_of(self.element).cast_signed();
        call_before(module, call, |builder| {
            let count = (0..i64::from(self.len)).fold(module.number(0), |sum, lane| {
                let bit = builder.element(mask, module.number(lane));
                builder.add(sum, builder.widen(bit, module.i64()))
            });
            let bytes = builder.multiply(count, module.number(size));
            (self.kind.range_function(module), vec![address, bytes])
        });
    }
}

/// Intrinsics of the processor: names that begin so, what they access, and where the address is, the vector of
/// masks and, for writes, the data.
const X86: [(&str, Kind, usize, usize, Option<usize>); 6] = [
    ("avx.maskload.", Kind::Read, 0, 1, None),
    ("avx2.maskload.", Kind::Read, 0, 1, None),
    ("avx.maskstore.", Kind::Write, 0, 1, Some(2)),
    ("avx2.maskstore.", Kind::Write, 0, 1, Some(2)),
    ("sse2.maskmov.dqu", Kind::Write, 2, 1, Some(0)),
    ("mmx.maskmovq", Kind::Write, 2, 1, Some(0)),
];

fn check_x86(module: &Module, call: Value, name: &str) {
    if name.starts_with("avx2.gather.") {
        return check_gather(module, call);
    }
    for (prefix, kind, address, mask, data) in X86 {
        if name.starts_with(prefix) {
            let arguments = call.arguments();
            let data = data.map_or(call.type_of(), |index| arguments[index].type_of());
            let lanes = Lanes { kind, element: data.element(), len: data.len() };
            lanes.check(module, call, arguments[address], |builder, lane| {
                highest_bit(module, builder, arguments[mask], lane)
            });
        }
    }
}

/// The highest bit of an element, as a number of 64 bits that is 0 or not.
fn highest_bit(module: &Module, builder: &Builder, mask: Value, lane: Value) -> Value {
    let bits = module.bytes_of(mask.type_of().element()) * 8;
    let number = builder.convert(builder.element(mask, lane), module.integer(bits as u32));
    let number = if bits == 64 { number } else { builder.widen(number, module.i64()) };
    builder.and(number, module.number(1_i64.wrapping_shl(bits as u32 - 1)))
}

/// The source, where to begin, which elements, the mask and the factor of a gathering load.
fn check_gather(module: &Module, call: Value) {
    let arguments = call.arguments();
    let (base, indices, mask, scale) = (arguments[1], arguments[2], arguments[3], arguments[4]);
    let (Some(scale), TypeKind::Vector) = (scale.as_number(), call.kind()) else { return };
    let data = call.type_of();
    let len = data.len().min(indices.type_of().len());
    let size = module.bytes_of(data.element()).cast_signed();
    let lanes = Lanes { kind: Kind::Read, element: data.element(), len };
    for lane in 0..i64::from(len) {
        call_before(module, call, |builder| {
            let number = module.number(lane);
            let index = builder.extend(builder.element(indices, number), module.i64());
            let offset = builder.multiply(index, module.number(scale));
            let address = builder.offset(base, offset);
            let condition = highest_bit(module, builder, mask, number);
            (lanes.function(module), vec![address, module.number(size), condition])
        });
    }
}
