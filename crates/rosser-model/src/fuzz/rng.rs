//! A small deterministic generator of random numbers (splitmix64): the same seed gives the same
//! programs on every machine and in every version.

/// The generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for the given case of the given seed.
    pub fn new(seed: u64, case: u64) -> Self {
        let mut rng = Self(seed ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        rng.bits();
        rng
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// A small integer for a program: below `bound`, which is at most 100.
    pub fn small(&mut self, bound: u8) -> i64 {
        i64::from((self.bits() % u64::from(bound)) as u8)
    }

    /// True in `one_in` of `n` cases on average, `n` at least 1.
    pub fn chance(&mut self, one_in: usize, n: usize) -> bool {
        self.below(n) < one_in
    }

    /// One of the given values.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}
