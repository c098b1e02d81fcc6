//! What the last access at each place in the code did to its cell.
//!
//! When a step comes to a word for the first time, the fast path of [`crate::access`] is not
//! enough. But code runs in loops, and neighbouring words have mostly been touched by the same
//! steps: their cells are equal, or of a few kinds. What an access does to a cell depends on nothing but the cell, the
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

const ENTRIES: usize = 256;

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

    /// Where the last access at a place is remembered.
    #[inline]
    fn slot(place: u64) -> usize {
        (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRIES.ilog2())) as usize
    }

    /// Where an access at a place to a cell of a certain kind is remembered as well.
    #[inline]
    fn second_slot(place: u64, [ids, rest]: Words) -> usize {
        Self::slot(place ^ ids.rotate_left(17) ^ rest.rotate_left(29))
    }

    /// Does to the cell what an access at the same place has done to an equal one. False if none
    /// is remembered.
    #[inline]
    pub fn repeat(&self, place: u64, epoch: u64, target: &mut Cell) -> bool {
        let before = words(target);
        let fits =
            |entry: &&Entry| entry.place == place && entry.epoch == epoch && entry.before == before;
        let entry = Some(&self.entries[Self::slot(place)])
            .filter(fits)
            .or_else(|| Some(&self.entries[Self::second_slot(place, before)]).filter(fits));
        let Some(entry) = entry else { return false };
        if entry.after != entry.before {
            *target = cell(entry.after);
        }
        true
    }

    /// Remembers what an access has done.
    #[inline]
    pub fn remember(&mut self, place: u64, epoch: u64, before: &Cell, after: &Cell) {
        let (before, after) = (words(before), words(after));
        let entry = Entry { place, epoch, before, after };
        self.entries[Self::slot(place)] = entry;
        self.entries[Self::second_slot(place, before)] = entry;
    }
}
