//! The operators that need no function.

use std::cmp::Ordering;
use std::ffi::{c_int, c_long};

use rosser::Operator;

use super::exact::ExactSum;

/// `rosser_operator`: the same names, in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A floating-point number, or the exact sum of several.
pub(crate) enum Number {
    Rounded(f64),
    Exact(Box<ExactSum>),
}

impl Operation {
    pub(crate) fn of_long(operator: c_int) -> Option<Self> {
        Some(match operator {
            0 => Self::Sum,
            1 => Self::Product,
            2 => Self::Min,
            3 => Self::Max,
            4 => Self::And,
            5 => Self::Or,
            6 => Self::Xor,
            _ => return None,
        })
    }

    /// A product of floating-point numbers would depend on the order, and bits they have none.
    pub(crate) fn of_double(operator: c_int) -> Option<Self> {
        Self::of_long(operator).filter(|it| matches!(it, Self::Sum | Self::Min | Self::Max))
    }
}

impl Operator<c_long> for Operation {
    fn combine(&self, total: &mut c_long, value: c_long) {
        *total = match self {
            Self::Sum => total.wrapping_add(value),
            Self::Product => total.wrapping_mul(value),
            Self::Min => value.min(*total),
            Self::Max => value.max(*total),
            Self::And => *total & value,
            Self::Or => *total | value,
            Self::Xor => *total ^ value,
        };
    }
}

impl Operator<Number> for Operation {
    fn combine(&self, total: &mut Number, value: Number) {
        match self {
            Self::Min => total.keep(value, Ordering::Less),
            Self::Max => total.keep(value, Ordering::Greater),
            _ => total.add(value),
        }
    }
}

impl Number {
    pub(crate) fn new(value: f64) -> Self {
        Self::Rounded(value)
    }

    pub(crate) fn value(&self) -> f64 {
        match self {
            Self::Rounded(value) => *value,
            Self::Exact(sum) => sum.rounded(),
        }
    }

    fn add(&mut self, value: Number) {
        if let Self::Rounded(first) = *self {
            let mut sum = Box::<ExactSum>::default();
            sum.add(first);
            *self = Self::Exact(sum);
        }
        let Self::Exact(sum) = self else { unreachable!("made so") };
        match value {
            Self::Rounded(value) => sum.add(value),
            Self::Exact(other) => sum.merge(&other),
        }
    }

    /// Keeps the one of two numbers that comes first, or last. What is no number does not count.
    fn keep(&mut self, other: Number, wanted: Ordering) {
        let (mine, its) = (self.value(), other.value());
        if mine.is_nan() || (!its.is_nan() && its.total_cmp(&mine) == wanted) {
            *self = other;
        }
    }
}

#[test]
fn the_extremes_of_numbers_do_not_depend_on_their_order() {
    let numbers = [0.0, -0.0, f64::NAN, 1.0, f64::NEG_INFINITY, f64::INFINITY];
    for (operation, expected) in
        [(Operation::Min, f64::NEG_INFINITY), (Operation::Max, f64::INFINITY)]
    {
        for skip in 0..numbers.len() {
            let mut total = Number::new(f64::NAN);
            for value in numbers.iter().cycle().skip(skip).take(numbers.len()) {
                operation.combine(&mut total, Number::new(*value));
            }
            assert_eq!(total.value().to_bits(), f64::to_bits(expected));
        }
    }
    for (first, second) in [(0.0, -0.0), (-0.0, 0.0)] {
        let mut total = Number::new(first);
        Operation::Min.combine(&mut total, Number::new(second));
        assert!(total.value().is_sign_negative());
    }
}
