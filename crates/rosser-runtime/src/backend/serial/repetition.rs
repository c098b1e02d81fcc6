//! A task that waits for a value that nobody can set, by loading it again and again.

use rosser_abi::run_file::stop;

use crate::backtrace::Here;
use crate::stuck::stop;

/// The last load of the checked thread, and how often it was repeated.
#[derive(Default)]
pub struct Repetition {
    address: usize,
    value: u64,
    accesses: u64,
    times: u64,
}

/// The number of identical loads, with nothing in between, that is taken for spinning.
const SPINS: u64 = 20_000_000;

impl Repetition {
    /// Takes note of a load, made when so many accesses had been recorded.
    pub fn note(&mut self, address: usize, value: u64, accesses: u64, here: Here) {
        let same = self.address == address && self.value == value && self.accesses + 1 >= accesses;
        let times = if same { self.times + 1 } else { 0 };
        *self = Self { address, value, accesses, times };
        if times > SPINS {
            stop(stop::SPINNING, here);
        }
    }
}
