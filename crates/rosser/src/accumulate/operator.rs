//! The operators: commutative and associative, all of them.

/// A commutative and associative operator on `T`.
///
/// Whoever implements it declares just that: for all values, combining them in any order and any
/// grouping gives the same result. Nothing checks it.
///
/// ```
/// use std::collections::BTreeSet;
/// use rosser::{Accumulator, Operator, finish};
///
/// struct Union;
///
/// impl Operator<BTreeSet<u32>> for Union {
///     fn combine(&self, total: &mut BTreeSet<u32>, mut value: BTreeSet<u32>) {
///         total.append(&mut value);
///     }
/// }
///
/// let seen = Accumulator::new(Union, BTreeSet::new());
/// finish(|s| {
///     for i in 0..10 {
///         s.spawn({ let seen = &seen; move |_| seen.accumulate(BTreeSet::from([i % 3])) });
///     }
/// });
/// assert_eq!(seen.into_inner(), BTreeSet::from([0, 1, 2]));
/// ```
pub trait Operator<T> {
    /// Combines `value` into `total`.
    fn combine(&self, total: &mut T, value: T);
}

/// Addition of integers, wrapping around on overflow, because a partial sum may overflow where the
/// sum does not.
///
/// There is none for floating-point numbers: their addition is not associative, and the last digits
/// of the sum would depend on the schedule.
///
/// ```
/// let sum = rosser::Accumulator::new(rosser::Sum, 1_u8);
/// sum.accumulate(255);
/// assert_eq!(sum.into_inner(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;

/// Multiplication of integers, wrapping around on overflow. As with [`Sum`], there is none for
/// floating-point numbers.
///
/// ```
/// let product = rosser::Accumulator::new(rosser::Product, 6);
/// product.accumulate(7);
/// assert_eq!(product.into_inner(), 42);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Product;

/// The least of values with a total order.
///
/// ```
/// let least = rosser::Accumulator::new(rosser::Min, "b");
/// least.accumulate("a");
/// assert_eq!(least.into_inner(), "a");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Min;

/// The greatest of values with a total order.
///
/// ```
/// let greatest = rosser::Accumulator::new(rosser::Max, "b");
/// greatest.accumulate("a");
/// assert_eq!(greatest.into_inner(), "b");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Max;

/// Bitwise or logical and.
///
/// ```
/// let all = rosser::Accumulator::new(rosser::And, true);
/// all.accumulate(false);
/// assert!(!all.into_inner());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct And;

/// Bitwise or logical or.
///
/// ```
/// let flags = rosser::Accumulator::new(rosser::Or, 0b01);
/// flags.accumulate(0b10);
/// assert_eq!(flags.into_inner(), 0b11);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Or;

/// Bitwise or logical exclusive or.
///
/// ```
/// let parity = rosser::Accumulator::new(rosser::Xor, true);
/// parity.accumulate(true);
/// assert!(!parity.into_inner());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Xor;

/// Of equal values the one that is there stays; a type whose equal values can be told apart should
/// have an operator of its own.
impl<T: Ord> Operator<T> for Min {
    fn combine(&self, total: &mut T, value: T) {
        if value < *total {
            *total = value;
        }
    }
}

/// As for [`Min`].
impl<T: Ord> Operator<T> for Max {
    fn combine(&self, total: &mut T, value: T) {
        if value > *total {
            *total = value;
        }
    }
}

macro_rules! arithmetic {
    ($($integer:ty)*) => { $(
        impl Operator<$integer> for Sum {
            fn combine(&self, total: &mut $integer, value: $integer) {
                *total = total.wrapping_add(value);
            }
        }

        impl Operator<$integer> for Product {
            fn combine(&self, total: &mut $integer, value: $integer) {
                *total = total.wrapping_mul(value);
            }
        }
    )* };
}

macro_rules! bitwise {
    ($($bits:ty)*) => { $(
        impl Operator<$bits> for And {
            fn combine(&self, total: &mut $bits, value: $bits) {
                *total &= value;
            }
        }

        impl Operator<$bits> for Or {
            fn combine(&self, total: &mut $bits, value: $bits) {
                *total |= value;
            }
        }

        impl Operator<$bits> for Xor {
            fn combine(&self, total: &mut $bits, value: $bits) {
                *total ^= value;
            }
        }
    )* };
}

arithmetic!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
bitwise!(bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
