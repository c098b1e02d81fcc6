//! Accesses of vectors by intrinsics of x86 processors, which LLVM has no general ones for.

use rosser_abi::checks::Kind as By;

use super::call_before;
use super::vectors::Lanes;
use crate::checked::Checked;
use crate::fewer::Access as Kind;
use crate::llvm::{Builder, Module, TypeKind, Value};

/// Names that begin so, the kind of checks, and where the address is, the mask and, for writes, the data.
const MASKED: [(&str, By, usize, usize, Option<usize>); 6] = [
    ("avx.maskload.", By::MaskedLoad, 0, 1, None),
    ("avx2.maskload.", By::MaskedLoad, 0, 1, None),
    ("avx.maskstore.", By::MaskedStore, 0, 1, Some(2)),
    ("avx2.maskstore.", By::MaskedStore, 0, 1, Some(2)),
    ("sse2.maskmov.dqu", By::MaskedMove, 2, 1, Some(0)),
    ("mmx.maskmovq", By::MaskedMove, 2, 1, Some(0)),
];

/// Loads from many addresses. The arguments are what elements that are not chosen become, where to begin, how many
/// steps further each element is, the mask, and how long a step is.
const GATHERS: [&str; 3] = ["avx2.gather.", "avx512.gather", "avx512.mask.gather"];

/// Stores to many addresses: where to begin, the mask, how many steps further, the data, and how long a step is.
const SCATTERS: [&str; 2] = ["avx512.scatter", "avx512.mask.scatter"];

/// Fetches for later, which access nothing.
const PREFETCHES: [&str; 2] = ["avx512.gatherpf", "avx512.scatterpf"];

/// Loads of whole vectors from any address.
const WHOLE: [&str; 2] = ["sse3.ldu.dq", "avx.ldu.dq."];

/// Stores of elements that are made narrower: the address, the data and the mask.
const NARROWING: &str = "avx512.mask.pmov";

/// Checks a call of an intrinsic, by its name after `llvm.x86.`.
pub fn check(module: &Checked, call: Value, name: &str) {
    let is_one_of = |names: &[&str]| names.iter().any(|it| name.starts_with(it));
    let arguments = call.arguments();
    if is_one_of(&PREFETCHES) {
        return;
    }
    if is_one_of(&WHOLE) {
        let size = module.number(module.bytes_of(call.type_of()).cast_signed());
        call_before(module, &[By::VectorLoad], call, |_| {
            (Kind::Read.range_function(module), vec![arguments[0], size])
        });
    } else if is_one_of(&GATHERS) {
        let data = call.type_of();
        let lanes =
            Lanes { by: By::Gather, kind: Kind::Read, element: data.element(), len: data.len() };
        Spread { base: 1, indices: 2, mask: 3 }.check(module, call, lanes);
    } else if is_one_of(&SCATTERS) {
        let data = arguments[3].type_of();
        let (by, kind) = (By::Scatter, Kind::Write);
        let lanes = Lanes { by, kind, element: data.element(), len: data.len() };
        Spread { base: 0, indices: 2, mask: 1 }.check(module, call, lanes);
    } else if let Some(bits) = narrowed_to(name) {
        let (by, kind, len) = (By::MaskedStore, Kind::Write, arguments[1].type_of().len());
        let lanes = Lanes { by, kind, element: module.integer(bits), len };
        lanes.check(module, call, arguments[0], |builder, lane| {
            is_chosen(module, builder, arguments[2], lane)
        });
    }
    for (_, by, address, mask, data) in MASKED.into_iter().filter(|it| name.starts_with(it.0)) {
        let kind = if data.is_some() { Kind::Write } else { Kind::Read };
        let data = data.map_or(call.type_of(), |index| arguments[index].type_of());
        let lanes = Lanes { by, kind, element: data.element(), len: data.len() };
        lanes.check(module, call, arguments[address], |builder, lane| {
            is_chosen(module, builder, arguments[mask], lane)
        });
    }
}

/// How many bits the elements of a narrowing store have in memory: the name has letters for before and after.
fn narrowed_to(name: &str) -> Option<u32> {
    let (letters, _) = name.strip_prefix(NARROWING)?.split_once(".mem.")?;
    match letters.chars().last()? {
        'b' => Some(8),
        'w' => Some(16),
        'd' => Some(32),
        _ => None,
    }
}

/// Which arguments say where the elements are that lie anywhere. The last one is how long a step is.
struct Spread {
    base: usize,
    indices: usize,
    mask: usize,
}

impl Spread {
    fn check(&self, module: &Checked, call: Value, lanes: Lanes) {
        let arguments = call.arguments();
        let (base, indices) = (arguments[self.base], arguments[self.indices]);
        let Some(scale) = arguments.last().and_then(|scale| scale.as_number()) else { return };
        let len = lanes.len.min(indices.type_of().len());
        Lanes { len, ..lanes }.check_each(module, call, |builder, lane| {
            let number = module.number(lane);
            let index = builder.extend(builder.element(indices, number), module.i64());
            let offset = builder.multiply(index, module.number(scale));
            let condition = is_chosen(module, builder, arguments[self.mask], lane);
            (builder.offset(base, offset), condition)
        });
    }
}

/// A number of 64 bits that is not 0 if a mask has an element. A mask is a vector of conditions, or of elements whose
/// highest bit counts, or it is a number with a bit for each.
fn is_chosen(module: &Module, builder: &Builder, mask: Value, lane: i64) -> Value {
    if mask.kind() != TypeKind::Vector {
        let bits =
            if mask.type_of() == module.i64() { mask } else { builder.widen(mask, module.i64()) };
        return builder.and(bits, module.number(1_i64.wrapping_shl(lane.cast_unsigned() as u32)));
    }
    let element = builder.element(mask, module.number(lane));
    if element.kind() == TypeKind::Integer(1) {
        return builder.widen(element, module.i64());
    }
    let bits = module.bytes_of(element.type_of()) as u32 * 8;
    let number = builder.convert(element, module.integer(bits));
    let number = if bits == 64 { number } else { builder.widen(number, module.i64()) };
    builder.and(number, module.number(1_i64.wrapping_shl(bits - 1)))
}

#[cfg(test)]
mod tests {
    use super::narrowed_to;

    #[test]
    fn names_tell_how_narrow_elements_become() {
        assert_eq!(narrowed_to("avx512.mask.pmov.qb.mem.128"), Some(8));
        assert_eq!(narrowed_to("avx512.mask.pmovus.dw.mem.512"), Some(16));
        assert_eq!(narrowed_to("avx512.mask.pmovs.qd.mem.256"), Some(32));
        assert_eq!(narrowed_to("avx512.mask.pmov.qb.128"), None);
    }
}
