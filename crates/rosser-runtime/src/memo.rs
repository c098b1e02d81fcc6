//! What the last access at each place in the code did to its cell.
//!
//! When a step comes to a word for the first time, the fast path of [`crate::access`] is not
//! enough. But code runs in loops, and neighbouring words have mostly been touched by the same
//! steps: their cells are equal. What an access does to a cell depends on nothing but the cell, the
//! place and the state of the engine. So the cell before and after is remembered for each place,
//! and an equal cell gets the same answer. Only accesses without a conflict are remembered, and
//! only while the engine's answers stay what they are.

use rosser_shadow::cell::Cell;

use crate::backtrace::Here;

/// A cell as two words, to compare it quickly.
type Words = [u64; 2];

#[derive(Clone, Copy, Default)]
struct Entry {
    /// The address of the code, and of the access within its word.
    place: u64,
    epoch: u64,
    before: Words,
    after: Words,
}

const ENTRIES: usize = 128;

/// The remembered accesses.
pub struct Memo {
    entries: [Entry; ENTRIES],
}

fn words(cell: &Cell) -> Words {
    let ids = u64::from(cell.accessor) << 32 | u64::from(cell.writer);
    let masks = [cell.writer_mask, cell.accessor_mask, cell.other_mask, cell.flags];
    [ids, u64::from(u32::from_le_bytes(masks)) << 32 | u64::from(cell.other)]
}

fn cell([ids, rest]: Words) -> Cell {
    let [writer_mask, accessor_mask, other_mask, flags] = ((rest >> 32) as u32).to_le_bytes();
    Cell {
        writer: ids as u32,
        accessor: (ids >> 32) as u32,
        other: rest as u32,
        writer_mask,
        accessor_mask,
        other_mask,
        flags,
    }
}

/// The place of an access to `address`: the code, its caller, and which part of the word. Two
/// places are taken for one only if all of that cancels out.
#[inline]
pub fn place(here: Here, address: usize) -> u64 {
    let caller = (here.return_address() as u64).rotate_left(32);
    here.pc as u64 ^ caller ^ (address as u64 & 7) << 56
}

impl Memo {
    /// Nothing is remembered.
    pub fn new() -> Self {
        Self { entries: [Entry::default(); ENTRIES] }
    }

    fn slot(place: u64) -> usize {
        (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES.ilog2())) as usize
    }

    /// Does to the cell what an access at the same place has done to an equal one. False if none
    /// is remembered.
    #[inline]
    pub fn repeat(&self, place: u64, epoch: u64, target: &mut Cell) -> bool {
        let entry = &self.entries[Self::slot(place)];
        let hit = entry.place == place && entry.epoch == epoch && entry.before == words(target);
        if hit && entry.after != entry.before {
            *target = cell(entry.after);
        }
        hit
    }

    /// Remembers what an access has done.
    #[inline]
    pub fn remember(&mut self, place: u64, epoch: u64, before: &Cell, after: &Cell) {
        self.entries[Self::slot(place)] =
            Entry { place, epoch, before: words(before), after: words(after) };
    }
}
