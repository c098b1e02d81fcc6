//! Which heap blocks were born in leaves of parallel loops, and in which.
//!
//! A table over all memory has a word for every 16 bytes: where a block began while a leaf was run, the number of
//! leaves that had begun by then. A leaf that begins later has a larger number, so what an earlier block has left
//! there says nothing of it.

use crate::blocks;
use crate::layout::MASK;
use crate::stack::StackBounds;
use crate::system;

/// Bytes of memory for each word of the table.
const GRAIN: usize = 16;

/// The table, and what was found there last.
pub struct Births {
    numbers: &'static mut [u32],
    /// The last block that was asked for, when it was born, and how many blocks had been freed then.
    last: (StackBounds, u32, usize),
}

impl Births {
    /// Reserves the table.
    pub fn new() -> Self {
        let numbers = system::reserve_slice((MASK + 8) / GRAIN);
        Self { numbers, last: (StackBounds::default(), 0, 0) }
    }

    /// A block begins, and so many leaves have begun.
    #[inline]
    pub fn note(&mut self, block: usize, leaves: u32) {
        self.numbers[(block & MASK) / GRAIN] = leaves;
    }

    /// How many leaves had begun when the block around an address was born in one; 0 if that was in no leaf, or
    /// there is no block.
    pub fn of(&mut self, address: usize) -> u32 {
        let freed = blocks::count_freed();
        let (block, birth, then) = self.last;
        if block.contains(address) && then == freed {
            return birth;
        }
        let Some((start, origin)) = blocks::around(address) else { return 0 };
        let birth = self.numbers[(start & MASK) / GRAIN];
        self.last = (StackBounds { low: start, high: start + origin.size }, birth, freed);
        birth
    }
}
