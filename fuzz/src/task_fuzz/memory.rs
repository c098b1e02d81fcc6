//! The locations of a program: real memory, accessed by real loads, stores and atomic operations.

use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI8, AtomicI16, AtomicI32, AtomicI64};

use expected::{Layout, Operator, Script, WORDS};
use rosser::{Accumulator, And, Max, Min, Or, Product, Sum, Xor};

/// Room for all locations in every layout.
pub type Words = [u64; WORDS];

/// The locations.
pub struct Memory {
    base: *mut u8,
    layout: Layout,
    accumulators: Vec<Option<Total>>,
}

// SAFETY: a program may race on its locations: that is what it is for. All accesses are volatile or atomic,
// or unaligned and hidden from the compiler, and what they read decides nothing that matters.
unsafe impl Sync for Memory {}
// SAFETY: the same.
unsafe impl Send for Memory {}

/// An accumulator of the library.
enum Total {
    Sum(Accumulator<i64, Sum>),
    Product(Accumulator<i64, Product>),
    Min(Accumulator<i64, Min>),
    Max(Accumulator<i64, Max>),
    And(Accumulator<i64, And>),
    Or(Accumulator<i64, Or>),
    Xor(Accumulator<i64, Xor>),
}

impl Total {
    fn new(operator: Operator) -> Self {
        match operator {
            Operator::Add => Self::Sum(Accumulator::new(Sum, 0)),
            Operator::Mul => Self::Product(Accumulator::new(Product, 0)),
            Operator::Min => Self::Min(Accumulator::new(Min, 0)),
            Operator::Max => Self::Max(Accumulator::new(Max, 0)),
            Operator::And => Self::And(Accumulator::new(And, 0)),
            Operator::Or => Self::Or(Accumulator::new(Or, 0)),
            Operator::Xor => Self::Xor(Accumulator::new(Xor, 0)),
            Operator::Sub | Operator::Div => unreachable!("they do not commute"),
        }
    }

    fn accumulate(&self, value: i64) {
        match self {
            Self::Sum(total) => total.accumulate(value),
            Self::Product(total) => total.accumulate(value),
            Self::Min(total) => total.accumulate(value),
            Self::Max(total) => total.accumulate(value),
            Self::And(total) => total.accumulate(value),
            Self::Or(total) => total.accumulate(value),
            Self::Xor(total) => total.accumulate(value),
        }
    }

    fn get(&mut self) -> i64 {
        match self {
            Self::Sum(total) => *total.get(),
            Self::Product(total) => *total.get(),
            Self::Min(total) => *total.get(),
            Self::Max(total) => *total.get(),
            Self::And(total) => *total.get(),
            Self::Or(total) => *total.get(),
            Self::Xor(total) => *total.get(),
        }
    }
}

/// An atomic operation, of the size of a location. Rust has no instruction for some operators; then it
/// is a compare-exchange to what `or_else` computes.
macro_rules! update {
    ($atomic:ident, $int:ident, $place:expr, $operator:expr, $value:expr, $or_else:expr) => {{
        // SAFETY: the location is valid.
        let atomic = unsafe { $atomic::from_ptr($place.cast()) };
        let value = $value as $int;
        match $operator {
            Operator::Add => atomic.fetch_add(value, Relaxed),
            Operator::And => atomic.fetch_and(value, Relaxed),
            Operator::Or => atomic.fetch_or(value, Relaxed),
            Operator::Xor => atomic.fetch_xor(value, Relaxed),
            _ => loop {
                let old = atomic.load(Relaxed);
                let new = $or_else(i64::from(old)) as $int;
                if atomic.compare_exchange(old, new, Relaxed, Relaxed).is_ok() {
                    break old;
                }
            },
        }
    }};
}

impl Memory {
    /// The locations, in the given words.
    pub fn new(words: &mut Words, layout: Layout, accumulators: &[Option<Operator>]) -> Self {
        let accumulators = accumulators.iter().map(|operator| operator.map(Total::new)).collect();
        Self { base: words.as_mut_ptr().cast(), layout, accumulators }
    }

    /// Where they are.
    pub fn base(&self) -> *const u8 {
        self.base
    }

    /// Reads the words of all earlier accesses and writes its own.
    #[inline(never)]
    fn step(&self, script: &Script) {
        let now = script.begin_access();
        for earlier in 0..now {
            // SAFETY: there is room for all accesses.
            unsafe { self.base.cast::<u64>().add(earlier).read_volatile() };
        }
        // SAFETY: as above.
        unsafe { self.base.cast::<u64>().add(now).write_volatile(1) };
    }

    /// Reads a location.
    #[inline(never)]
    pub fn load(&self, location: usize, script: &Script) -> i64 {
        if self.layout == Layout::Steps {
            self.step(script);
            return script.value(location);
        }
        let (offset, size) = self.layout.place(location);
        // SAFETY: there is room for all locations, and all are aligned but the last kind.
        let value = unsafe {
            let place = self.base.add(offset);
            match size {
                1 => place.cast::<i8>().read_volatile().into(),
                2 => place.cast::<i16>().read_volatile().into(),
                4 => place.cast::<i32>().read_volatile().into(),
                _ if offset % 8 == 0 => place.cast::<i64>().read_volatile(),
                _ => black_box(place.cast::<i64>()).read_unaligned(),
            }
        };
        let value = black_box(value);
        if self.layout.cuts() { script.value(location) } else { value }
    }

    /// Writes a location.
    #[inline(never)]
    pub fn store(&self, location: usize, value: i64, script: &Script) {
        if self.layout == Layout::Steps {
            self.step(script);
            script.set_value(location, value);
            return;
        }
        let (offset, size) = self.layout.place(location);
        // SAFETY: as above.
        unsafe {
            let place = self.base.add(offset);
            match size {
                1 => place.cast::<i8>().write_volatile(value as i8),
                2 => place.cast::<i16>().write_volatile(value as i16),
                4 => place.cast::<i32>().write_volatile(value as i32),
                _ if offset % 8 == 0 => place.cast::<i64>().write_volatile(value),
                _ => black_box(place.cast::<i64>()).write_unaligned(value),
            }
        }
        if self.layout.cuts() {
            script.set_value(location, value);
        }
    }

    /// Updates a location.
    #[inline(never)]
    pub fn accumulate(&self, location: usize, value: i64, operator: Operator, script: &Script) {
        self.update(location, value, operator, script);
    }

    /// Updates a location. Returns what was there.
    #[inline(never)]
    pub fn fetch(&self, location: usize, value: i64, operator: Operator, script: &Script) -> i64 {
        self.update(location, value, operator, script)
    }

    /// The two differ in whether the old value is used.
    #[inline(always)]
    fn update(&self, location: usize, value: i64, operator: Operator, script: &Script) -> i64 {
        let before = script.value(location);
        if self.layout == Layout::Steps {
            self.step(script);
            script.set_value(location, combine(before, value, operator));
            return before;
        }
        if let Some(total) = &self.accumulators[location] {
            total.accumulate(value);
            return 0;
        }
        let (offset, size) = self.layout.place(location);
        // SAFETY: there is room for all locations.
        let place = unsafe { self.base.add(offset) };
        let cuts = self.layout.cuts();
        let new = |old: i64| combine(if cuts { before } else { old }, value, operator);
        let old = match size {
            1 => update!(AtomicI8, i8, place, operator, value, new).into(),
            2 => update!(AtomicI16, i16, place, operator, value, new).into(),
            4 => update!(AtomicI32, i32, place, operator, value, new).into(),
            _ => update!(AtomicI64, i64, place, operator, value, new),
        };
        if cuts {
            script.set_value(location, combine(before, value, operator));
            return before;
        }
        old
    }

    /// Whether a location holds a value, after the run.
    pub fn holds(&mut self, location: usize, value: i64, script: &Script) -> bool {
        if self.layout == Layout::Steps {
            return script.value(location) == value;
        }
        if let Some(total) = &mut self.accumulators[location] {
            return total.get() == value;
        }
        let (offset, size) = self.layout.place(location);
        // SAFETY: as above, and nobody else uses it any more.
        let there = unsafe {
            let place = self.base.add(offset);
            match size {
                1 => place.cast::<i8>().read() == value as i8,
                2 => place.cast::<i16>().read() == value as i16,
                4 => place.cast::<i32>().read() == value as i32,
                _ => place.cast::<i64>().read_unaligned() == value,
            }
        };
        there && (!self.layout.cuts() || script.value(location) == value)
    }
}

/// As the model's machine does it.
fn combine(old: i64, value: i64, operator: Operator) -> i64 {
    match operator {
        Operator::Add => old.wrapping_add(value),
        Operator::Mul => old.wrapping_mul(value),
        Operator::And => old & value,
        Operator::Or => old | value,
        Operator::Xor => old ^ value,
        Operator::Min => old.min(value),
        Operator::Max => old.max(value),
        Operator::Sub => old.wrapping_sub(value),
        Operator::Div => old.wrapping_div(value),
    }
}
