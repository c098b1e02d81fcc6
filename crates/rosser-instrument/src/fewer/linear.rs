//! Addresses and numbers as sums: multiples of values, and a constant.
//!
//! All arithmetic wraps at 64 bits, as that of the program does.

use crate::llvm::{Builder, Module, Opcode, TypeKind, Value};

/// How many instructions deep a value is taken apart.
const DEEPEST: u32 = 12;

/// A sum of values, each so many times, and a constant. The values are in order, and none is there
/// zero times.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Linear {
    pub terms: Vec<(Value, i64)>,
    pub constant: i64,
}

impl Linear {
    /// The expression that is this number.
    pub fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Takes a pointer or a number of 64 bits apart.
    pub fn of(module: &Module, value: Value) -> Self {
        Self::up_to(module, value, DEEPEST)
    }

    fn up_to(module: &Module, value: Value, depth: u32) -> Self {
        if let Some(number) = value.as_number() {
            return Self::constant(number);
        }
        let whole = || Self { terms: vec![(value, 1)], constant: 0 };
        if depth == 0 {
            return whole();
        }
        let is_number = value.kind() == TypeKind::Integer(64);
        let part = |operand| Self::up_to(module, operand, depth - 1);
        let operands = || value.operands();
        match value.opcode() {
            Opcode::Add if is_number => part(operands()[0]).plus(&part(operands()[1])),
            Opcode::Or if is_number && value.is_disjoint() => {
                part(operands()[0]).plus(&part(operands()[1]))
            }
            Opcode::Sub if is_number => part(operands()[0]).plus(&part(operands()[1]).times(-1)),
            Opcode::Mul if is_number => match (part(operands()[0]), part(operands()[1])) {
                (sum, number) | (number, sum) if number.terms.is_empty() => {
                    sum.times(number.constant)
                }
                _ => whole(),
            },
            Opcode::Shl if is_number => match operands()[1].as_number() {
                Some(bits @ 0..=62) => part(operands()[0]).times(1 << bits),
                _ => whole(),
            },
            Opcode::GetElementPtr if value.kind() == TypeKind::Pointer => {
                Self::of_element(module, value, part).unwrap_or_else(whole)
            }
            _ => whole(),
        }
    }

    /// The address of an element: of arrays in structures in arrays, as it may be.
    fn of_element(module: &Module, value: Value, part: impl Fn(Value) -> Self) -> Option<Self> {
        let operands = value.operands();
        let (base, indices) = operands.split_first()?;
        let mut address = part(*base);
        let mut kind = value.source_element();
        for (i, &index) in indices.iter().enumerate() {
            let of_struct = i > 0 && kind.kind() == TypeKind::Struct;
            if of_struct {
                let field = u32::try_from(index.as_number()?).ok()?;
                address.constant = address.constant.wrapping_add(module.offset_of(kind, field));
                kind = kind.field(field);
                continue;
            }
            if i > 0 {
                if kind.kind() != TypeKind::Array {
                    return None;
                }
                kind = kind.element();
            }
            let is_plain = index.as_number().is_some() || index.kind() == TypeKind::Integer(64);
            if !is_plain {
                return None;
            }
            address = address.plus(&part(index).times(module.size_of(kind)?));
        }
        Some(address)
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut terms = self.terms.clone();
        for &(value, times) in &other.terms {
            match terms.binary_search_by_key(&value, |term| term.0) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(times),
                Err(at) => terms.insert(at, (value, times)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Self { terms, constant: self.constant.wrapping_add(other.constant) }
    }

    /// The expression, multiplied by a number.
    #[must_use]
    pub fn times(&self, factor: i64) -> Self {
        let mut terms = self.terms.clone();
        for term in &mut terms {
            term.1 = term.1.wrapping_mul(factor);
        }
        terms.retain(|term| term.1 != 0);
        Self { terms, constant: self.constant.wrapping_mul(factor) }
    }

    /// Computes the number; all values are numbers.
    pub fn build_number(&self, module: &Module, builder: &Builder) -> Value {
        let mut sum = None;
        for &(value, times) in &self.terms {
            let term = match times {
                1 => value,
                _ => builder.multiply(value, module.number(times)),
            };
            sum = Some(sum.map_or(term, |sum| builder.add(sum, term)));
        }
        match sum {
            Some(sum) if self.constant == 0 => sum,
            Some(sum) => builder.add(sum, module.number(self.constant)),
            None => module.number(self.constant),
        }
    }

    /// Whether it is an address: one pointer, the rest numbers.
    pub fn is_address(&self) -> bool {
        let mut pointers = self.terms.iter().filter(|term| is_pointer(term.0));
        pointers.next().is_some_and(|pointer| pointer.1 == 1) && pointers.next().is_none()
    }

    /// Whether it is a number: no pointer in it.
    pub fn is_number(&self) -> bool {
        !self.terms.iter().any(|term| is_pointer(term.0))
    }

    /// Adds instructions that compute the expression as an address.
    pub fn build_address(&self, module: &Module, builder: &Builder) -> Value {
        let (pointers, numbers) = self.terms.iter().partition(|term| is_pointer(term.0));
        let pointers: Vec<(Value, i64)> = pointers;
        let offset = Self { terms: numbers, constant: self.constant };
        match offset.as_constant() {
            Some(0) => pointers[0].0,
            _ => builder.offset(pointers[0].0, offset.build_number(module, builder)),
        }
    }
}

fn is_pointer(value: Value) -> bool {
    value.kind() == TypeKind::Pointer
}
