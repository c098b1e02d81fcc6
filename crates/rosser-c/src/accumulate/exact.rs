//! Sums of floating-point numbers that do not depend on the order.
//!
//! Rounded additions are not associative: the last digits of a sum would depend on which task came
//! first. So nothing is rounded before the sum is read. Every finite `f64` is a multiple of 2⁻¹⁰⁷⁴, so
//! the sum is an integer, of some 2100 bits and a few for carries, kept in digits of 32 bits (Kulisch's
//! long accumulator).

/// Digits enough for the largest `f64`, whose highest bit has the weight 2¹⁰²³, and carries of 2⁶² of
/// them.
const DIGITS: usize = (1074 + 1024 + 62_usize).div_ceil(32) + 1;

/// How many additions a digit stands before it may overflow: each adds less than 2³², to one that
/// begins with less than 2³².
const ADDITIONS: u32 = 1 << 30;

#[derive(Clone, Debug)]
pub(crate) struct ExactSum {
    /// Least significant first. The weight of the first is 2⁻¹⁰⁷⁴. Digits may exceed 32 bits, and be
    /// negative, until they are normalised.
    digits: [i64; DIGITS],
    /// Additions since the digits were normalised.
    additions: u32,
    /// The sum of what is not finite.
    special: f64,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { digits: [0; DIGITS], additions: 0, special: 0.0 }
    }
}

impl ExactSum {
    pub(crate) fn add(&mut self, value: f64) {
        if !value.is_finite() {
            self.special += value;
            return;
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52) & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // The value is `mantissa` times 2^(`shift` - 1074).
        let (mantissa, shift) =
            if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let (first, offset) = ((shift / 32) as usize, shift % 32);
        let mut rest = u128::from(mantissa) << offset;
        for digit in &mut self.digits[first..first + 3] {
            let part = (rest & 0xffff_ffff) as i64;
            *digit += if value.is_sign_negative() { -part } else { part };
            rest >>= 32;
        }
        self.count(1);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.special += other.special;
        let mut other = other.clone();
        other.normalise();
        for (digit, its) in self.digits.iter_mut().zip(other.digits) {
            *digit += its;
        }
        self.count(1);
    }

    /// The sum, rounded to nearest, ties to even.
    pub(crate) fn rounded(&self) -> f64 {
        if self.special != 0.0 {
            return self.special;
        }
        let mut sum = self.clone();
        sum.normalise();
        let negative = sum.digits[DIGITS - 1] < 0;
        if negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.normalise();
        }
        let magnitude = sum.magnitude();
        if negative { -magnitude } else { magnitude }
    }

    /// The value of digits that are normalised and not negative.
    fn magnitude(&self) -> f64 {
        let Some(last) = self.digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        let top = 32 * last + self.digits[last].ilog2() as usize;
        // Of the 53 bits from `top` on, the lowest has the index `shift`.
        let shift = top.saturating_sub(52);
        let mut mantissa = (shift..=top).rev().fold(0, |bits, bit| bits << 1 | self.bit(bit));
        if shift > 0 && self.bit(shift - 1) == 1 {
            let more = (0..shift - 1).any(|bit| self.bit(bit) == 1);
            mantissa += u64::from(more) | (mantissa & 1);
        }
        // The mantissa's highest bit, if it is the 53rd, adds one to the exponent, as it should; and so
        // does a carry into a 54th.
        let bits = ((shift as u64) << 52) + mantissa;
        f64::from_bits(bits.min(f64::INFINITY.to_bits()))
    }

    fn bit(&self, index: usize) -> u64 {
        (self.digits[index / 32] >> (index % 32) & 1).cast_unsigned()
    }

    fn count(&mut self, additions: u32) {
        self.additions += additions;
        if self.additions >= ADDITIONS {
            self.normalise();
        }
    }

    /// Brings all digits but the last into 0..2³².
    fn normalise(&mut self) {
        let mut carry = 0;
        for digit in &mut self.digits[..DIGITS - 1] {
            let sum = *digit + carry;
            *digit = sum & 0xffff_ffff;
            carry = sum >> 32;
        }
        self.digits[DIGITS - 1] += carry;
        self.additions = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::ExactSum;

    fn sum(values: &[f64]) -> f64 {
        exact(values).rounded()
    }

    fn exact(values: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        for &value in values {
            sum.add(value);
        }
        sum
    }

    fn assert_same(left: f64, right: f64) {
        let same = left.total_cmp(&right).is_eq() || left.is_nan() && right.is_nan();
        assert!(same, "{left:e} is not {right:e}");
    }

    /// Numbers of all sizes, the same in every run.
    fn numbers(count: usize) -> Vec<f64> {
        let mut state = 1_u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from_bits(state.rotate_left(17) ^ state >> 31)
        };
        (0..count).map(next).filter(|number| number.is_finite()).collect()
    }

    #[test]
    fn one_number_is_its_own_sum() {
        let edges =
            [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324, 1.0, 0.1, 2_f64.powi(53)];
        for number in numbers(10_000).into_iter().chain(edges) {
            assert_same(sum(&[number]), number);
        }
    }

    #[test]
    fn two_numbers_have_the_sum_that_the_machine_says() {
        let numbers = numbers(10_000);
        for pair in numbers.windows(2) {
            assert_same(sum(pair), pair[0] + pair[1]);
            let near = [pair[0], pair[0] * 1.000_001];
            assert_same(sum(&near), near[0] + near[1]);
            let far = [pair[0], -pair[0] / 3.0];
            assert_same(sum(&far), far[0] + far[1]);
        }
    }

    #[test]
    fn nothing_is_lost() {
        assert_same(sum(&[1e308, 1.0, -1e308]), 1.0);
        assert_same(sum(&[1e308, 1e308, -1e308, -1e308, 5e-324]), 5e-324);
        assert_same(sum(&[1e308, 1e308]), f64::INFINITY);
        assert_same(sum(&[0.1; 10]), 1.0);
        assert_same(sum(&[-0.1; 10]), -1.0);
    }

    #[test]
    fn the_order_does_not_matter() {
        let numbers: Vec<f64> = numbers(2000).into_iter().map(|number| number % 1e9).collect();
        let forwards = sum(&numbers);
        let backwards: Vec<f64> = numbers.iter().rev().copied().collect();
        assert_same(sum(&backwards), forwards);
        for parts in [2, 3, 7] {
            let mut total = ExactSum::default();
            for part in numbers.chunks(numbers.len() / parts) {
                total.merge(&exact(part));
            }
            assert_same(total.rounded(), forwards);
        }
    }

    #[test]
    fn what_is_not_finite_wins() {
        assert_same(sum(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert_same(sum(&[f64::NEG_INFINITY, f64::MAX]), f64::NEG_INFINITY);
        assert_same(sum(&[f64::NEG_INFINITY, f64::INFINITY]), f64::NAN);
        assert_same(sum(&[f64::NAN, 1.0]), f64::NAN);
    }
}
