//! Giving ids anew, so that the log does not grow with the length of a region.
//!
//! The log gets a word for every place that a step passes; most of these ids are soon in no cell any
//! more. When it has grown enough, the ids that are still in use are counted through from the
//! region's first on, in the same order, and everything that holds an id is told its new one: the
//! cells (which the caller goes through), records, spans, knowledge and frames. Order is all that
//! ids are compared by, so nobody notices. Of the log's brackets those are kept that have an id in
//! use between them.
//!
//! Cost: the log and the cells are gone through once. It pays when the log has doubled since the
//! last time.

use crate::serial::cell::{Cell, MANY, RECORD};
use crate::serial::engine::Engine;
use crate::serial::log::{Id, Log, Mark};
use crate::serial::records::Entry;

/// Memory for the ids in use.
#[derive(Debug)]
pub struct InUse {
    /// One bit for each id, from the region's first on.
    bits: &'static mut [u64],
    /// How many ids in use are before each word of bits.
    before: &'static mut [u32],
    /// The beginnings of the tasks around a place in the log.
    around: &'static mut [(Id, u32)],
    first: Id,
    end: Id,
}

impl InUse {
    /// In the given memory, which may hold anything; a word of each of the first two for 64 ids, and
    /// one of the third for each task inside another.
    pub fn new(
        bits: &'static mut [u64],
        before: &'static mut [u32],
        around: &'static mut [(Id, u32)],
    ) -> Self {
        Self { bits, before, around, first: 0, end: 0 }
    }

    fn start(&mut self, first: Id, end: Id) -> bool {
        let words = (end - first) as usize / 64 + 1;
        (self.first, self.end) = (first, end);
        if words > self.bits.len() || words > self.before.len() {
            return false;
        }
        self.bits[..words].fill(0);
        true
    }

    fn position(&self, id: Id) -> (usize, u64) {
        let index = id - self.first;
        (index as usize / 64, 1 << (index % 64))
    }

    #[inline]
    fn add(&mut self, id: Id) {
        if id >= self.first && id < self.end {
            let (word, bit) = self.position(id);
            self.bits[word] |= bit;
        }
    }

    fn contains(&self, id: Id) -> bool {
        let (word, bit) = self.position(id);
        self.bits[word] & bit != 0
    }

    /// Adds the beginnings and ends of the tasks around ids in use, and those that are not over.
    fn add_tasks(&mut self, log: &Log) -> bool {
        let mut depth = 0;
        let mut seen_before = 0;
        for (word, from) in (self.first..self.end).step_by(64).enumerate() {
            let bits = self.bits[word];
            let marks = log.marks(from, self.end.min(from.saturating_add(64)));
            for bit in ones(marks) {
                let id = from + bit;
                let seen = seen_before + (bits & (2_u64 << bit).wrapping_sub(1)).count_ones();
                match log.mark(id) {
                    Mark::Access => {}
                    Mark::Begin => {
                        let Some(slot) = self.around.get_mut(depth) else { return false };
                        *slot = (id, seen);
                        depth += 1;
                    }
                    Mark::End if depth > 0 => {
                        depth -= 1;
                        let (begin, seen_at_begin) = self.around[depth];
                        if seen > seen_at_begin || self.contains(begin) {
                            self.add(begin);
                            self.add(id);
                            seen_before += 1;
                        }
                    }
                    Mark::End => self.add(id),
                }
            }
            seen_before += bits.count_ones();
        }
        for index in 0..depth {
            self.add(self.around[index].0);
        }
        true
    }

    /// The ids in use.
    fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        let words = (self.first..self.end).step_by(64).zip(&*self.bits);
        words.flat_map(|(from, bits)| ones(*bits).map(move |bit| from + bit))
    }

    fn count(&mut self) -> u32 {
        let mut count = 0;
        let words = (self.end - self.first) as usize / 64 + 1;
        for (before, bits) in self.before.iter_mut().zip(&*self.bits).take(words) {
            *before = count;
            count += bits.count_ones();
        }
        count
    }

    /// The new number of an id; of one that is not in use, that of the next one that is.
    #[inline]
    fn number(&self, id: Id) -> Id {
        if id < self.first || id > self.end {
            return id;
        }
        let (word, bit) = self.position(id);
        self.first + self.before[word] + (self.bits[word] & (bit - 1)).count_ones()
    }
}

/// The bits that are set.
#[inline]
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit)
    })
}

impl Engine {
    /// How many ids the region has used.
    pub fn used_ids(&self) -> u32 {
        self.judge.numbering.next() - self.region()
    }

    /// Gives new numbers to the ids in use, between two steps. `each_cell` is called twice and goes
    /// through all cells. Returns whether it was done; if not, nothing has changed: the general order
    /// has ids in too many places.
    pub fn compact(&mut self, each_cell: impl FnMut(&mut dyn FnMut(&mut [Cell]))) -> bool {
        let mut in_use = std::mem::replace(
            &mut self.in_use,
            InUse::new(Default::default(), Default::default(), Default::default()),
        );
        let done = self.compact_with(&mut in_use, each_cell);
        self.in_use = in_use;
        done
    }

    fn compact_with(
        &mut self,
        in_use: &mut InUse,
        mut each_cell: impl FnMut(&mut dyn FnMut(&mut [Cell])),
    ) -> bool {
        let (first, end) = (self.region(), self.judge.numbering.next());
        if self.is_general() || self.judge.strong.present.base != end || !in_use.start(first, end) {
            return false;
        }
        // Lists of readers are of earlier regions: there are none before the order is general.
        let (records, crowds) = (&mut self.judge.records, &mut self.judge.crowds);
        each_cell(&mut |cells| {
            for cell in cells.iter().filter(|cell| **cell != Cell::default()) {
                in_use.add(cell.writer);
                in_use.add(cell.accessor);
                if cell.flags & (RECORD | MANY) == 0 {
                    in_use.add(cell.other);
                } else if cell.flags & RECORD != 0 && cell.accessor >= first {
                    records.each_entry(cell.other, |entry| in_use.add(entry.id));
                    crowds.each_entry(records.crowd(cell.other), |entry| in_use.add(entry.id));
                }
            }
        });
        self.judge.weak.graph.each_task(|task| in_use.add(*task));
        if !in_use.add_tasks(&self.judge.numbering.log) {
            return false;
        }
        let count = in_use.count();

        let around = std::mem::take(&mut in_use.around);
        let numbers = &*in_use;
        each_cell(&mut |cells| {
            for cell in cells.iter_mut().filter(|cell| **cell != Cell::default()) {
                if cell.flags & (RECORD | MANY) == 0 {
                    cell.other = numbers.number(cell.other);
                } else if cell.flags & RECORD != 0 && cell.accessor >= first {
                    let renumber = |entry: &mut Entry| entry.id = numbers.number(entry.id);
                    records.each_entry(cell.other, renumber);
                    crowds.each_entry(records.crowd(cell.other), renumber);
                }
                cell.writer = numbers.number(cell.writer);
                cell.accessor = numbers.number(cell.accessor);
            }
        });
        self.judge.weak.graph.each_task(|task| *task = numbers.number(*task));
        self.judge.weak.graph.each_bound(|bound| *bound = numbers.number(*bound));
        self.judge.strong.order.spans.each_bound(|bound| *bound = numbers.number(*bound));
        self.judge.numbering.log.keep((first, first + count), numbers.ids(), around);
        self.renumber(|id| numbers.number(id));
        in_use.around = around;
        true
    }
}
