//! Accesses of vectors that a mask restricts, or that have an address for each element.

use rosser_abi::checks::Kind as By;

use super::{call_before, x86};
use crate::checked::Checked;
use crate::fewer::Access as Kind;
use crate::llvm::{Builder, Module, Opcode, Type, TypeKind, Value};

/// Where an intrinsic has what it accesses.
struct Masked {
    by: By,
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
pub fn check(module: &Checked, instruction: Value) {
    if instruction.opcode() != Opcode::Call {
        return;
    }
    let Some(callee) = instruction.callee() else { return };
    let Some(name) = callee.name().strip_prefix("llvm.") else { return };
    if let Some(masked) = masked(name) {
        masked.check(module, instruction);
    } else if let Some(name) = name.strip_prefix("x86.") {
        x86::check(module, instruction, name);
    }
}

fn masked(name: &str) -> Option<Masked> {
    let is = |prefix: &str| name.starts_with(prefix);
    let (by, kind, address, mask, data, is_packed) = if is("masked.load.") {
        // The alignment has moved from the arguments to an attribute in newer versions.
        (By::MaskedLoad, Kind::Read, 0, usize::MAX, None, false)
    } else if is("masked.store.") {
        (By::MaskedStore, Kind::Write, 1, usize::MAX, Some(0), false)
    } else if is("masked.gather.") {
        (By::Gather, Kind::Read, 0, usize::MAX, None, false)
    } else if is("masked.scatter.") {
        (By::Scatter, Kind::Write, 1, usize::MAX, Some(0), false)
    } else if is("masked.expandload.") {
        (By::ExpandingLoad, Kind::Read, 0, 1, None, true)
    } else if is("masked.compressstore.") {
        (By::CompressingStore, Kind::Write, 1, 2, Some(0), true)
    } else {
        return None;
    };
    Some(Masked { by, kind, address, mask, data, is_packed })
}

impl Masked {
    fn check(&self, module: &Checked, call: Value) {
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
        let (by, kind) = (self.by, self.kind);
        let lanes = Lanes { by, kind, element: data.element(), len: data.len() };
        if self.is_packed {
            lanes.check_packed(module, call, arguments[self.address], mask);
        } else {
            lanes.check(module, call, arguments[self.address], |builder, lane| {
                builder.widen(builder.element(mask, module.number(lane)), module.i64())
            });
        }
    }
}

/// The elements of a vector.
#[derive(Clone, Copy)]
pub struct Lanes {
    pub by: By,
    pub kind: Kind,
    pub element: Type,
    pub len: u32,
}

impl Lanes {
    fn function(&self, module: &Module) -> Value {
        let name = match self.kind {
            Kind::Read => c"rosser_read_if",
            Kind::Write => c"rosser_write_if",
        };
        module.external(name, &[module.pointer(), module.i64(), module.i64()])
    }

    /// Checks each element if a number, of 64 bits, is not 0. The address is that of the first one, or there is a
    /// vector of them.
    pub fn check(
        &self,
        module: &Checked,
        call: Value,
        address: Value,
        condition: impl Fn(&Builder, i64) -> Value,
    ) {
        let size = module.bytes_of(self.element).cast_signed();
        self.check_each(module, call, |builder, lane| {
            let address = match address.kind() {
                TypeKind::Vector => builder.element(address, module.number(lane)),
                _ => builder.offset(address, module.number(lane * size)),
            };
            (address, condition(builder, lane))
        });
    }

    /// Checks each element at its address, if a number, of 64 bits, is not 0.
    pub fn check_each(
        &self,
        module: &Checked,
        call: Value,
        element: impl Fn(&Builder, i64) -> (Value, Value),
    ) {
        let size = module.number(module.bytes_of(self.element).cast_signed());
        for lane in 0..i64::from(self.len) {
            call_before(module, &[self.by], call, |builder| {
                let (address, condition) = element(builder, lane);
                (self.function(module), vec![address, size, condition])
            });
        }
    }

    /// Checks as many elements, one after the other, as conditions hold.
    fn check_packed(&self, module: &Checked, call: Value, address: Value, mask: Value) {
        let size = module.bytes_of(self.element).cast_signed();
        call_before(module, &[self.by], call, |builder| {
            let count = (0..i64::from(self.len)).fold(module.number(0), |sum, lane| {
                let bit = builder.element(mask, module.number(lane));
                builder.add(sum, builder.widen(bit, module.i64()))
            });
            let bytes = builder.multiply(count, module.number(size));
            (self.kind.range_function(module), vec![address, bytes])
        });
    }
}
