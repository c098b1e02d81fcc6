//! Accesses of many words, and what happens to the cells of whole ranges.

use rosser_detect::kind::Kind;
use rosser_detect::sf_order::cell::{BLOCK, Cell, Locked, RECORD};
use rosser_detect::sf_order::log::Id;
use rosser_detect::sf_order::worker::Worker;
use rosser_detect::storage::Exhausted;

use super::cells::block_of;
use super::checked::Checked;
use crate::backtrace::Here;
use crate::recent::When;
use crate::shadow;
use crate::stuck;
use crate::words::bytes_within;

/// From this size on a freed block's cells are dropped instead of marked.
const LARGE_BLOCK: usize = 1 << 20;
/// Larger mappings are not looked through when they end.
const LARGE_MAPPING: usize = 64 << 20;

/// Kinds of accesses, word by word.
trait Words: Copy {
    /// Whether nothing has to be done, as far as can be seen without a lock.
    fn is_needless(self, worker: &mut Worker, cell: &Cell, bytes: u8) -> bool;
    /// Makes the access to one word.
    fn make(
        self,
        worker: &mut Worker,
        block: &mut Locked,
        index: usize,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted>;
}

/// Plain reads.
#[derive(Clone, Copy)]
struct Reads;

impl Words for Reads {
    #[inline(always)]
    fn is_needless(self, worker: &mut Worker, cell: &Cell, bytes: u8) -> bool {
        cell.was_accessed(worker.own(), bytes) || worker.is_stood_in_for(cell, bytes)
    }
    #[inline(always)]
    fn make(
        self,
        worker: &mut Worker,
        block: &mut Locked,
        index: usize,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        worker.read(block, index, bytes, id)
    }
}

/// Writes, and ends of blocks.
#[derive(Clone, Copy)]
struct Writes(Kind);

impl Words for Writes {
    #[inline(always)]
    fn is_needless(self, worker: &mut Worker, cell: &Cell, bytes: u8) -> bool {
        // A block that nobody has accessed needs no mark: whoever gets its memory forgets what was there.
        if self.0 == Kind::Free { cell.is_empty() } else { cell.was_written(worker.own(), bytes) }
    }
    #[inline(always)]
    fn make(
        self,
        worker: &mut Worker,
        block: &mut Locked,
        index: usize,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        worker.write(block, index, self.0, bytes, id)
    }
}

impl Checked {
    /// A plain read of any length.
    pub fn read(&mut self, address: usize, len: usize, here: Here) {
        self.note_stack(here);
        let (end, when) = (address + len, self.now());
        if len != 0
            && !self.is_private(address, len, here)
            && !self.recently_read.covers(address, end, when)
        {
            self.each_word(Reads, address, end, here);
            self.recently_read.note(address, end, when);
        }
    }

    /// A plain write of any length, or the end of a block.
    pub fn write(&mut self, address: usize, len: usize, kind: Kind, here: Here) {
        self.note_stack(here);
        let (end, when) = (address + len, self.now());
        if kind == Kind::Free {
            self.each_word(Writes(kind), address, end, here);
            self.forgotten = self.forgotten.wrapping_add(1);
        } else if len != 0
            && !self.is_private(address, len, here)
            && !self.recently_written.covers(address, end, when)
        {
            self.each_word(Writes(kind), address, end, here);
            self.recently_written.note(address, end, when);
        }
    }

    fn now(&self) -> When {
        When { step: self.worker.step(), forgotten: self.forgotten }
    }

    /// Makes an access word by word.
    #[inline(always)]
    fn each_word(&mut self, access: impl Words, from: usize, to: usize, here: Here) {
        let mut id = None;
        // What the cell of the last word said that nothing had to be done for.
        let mut needless = None;
        let mut word = from & !7;
        while word < to {
            let (block, first) = block_of(word);
            let end = (word & !(8 * BLOCK - 1)) + 8 * BLOCK;
            let mut locked = None;
            // What became of the last word, whose history the next one mostly has.
            let mut last = None;
            let begin = word;
            while word < end.min(to) {
                let index = first + (word - begin) / 8;
                let bytes = bytes_within(word, from, to);
                let glance = block.cell(index).glance();
                let same = glance.is_some() && glance == needless && bytes == 0xff;
                if same || access.is_needless(&mut self.worker, block.cell(index), bytes) {
                    needless = if bytes == 0xff { glance } else { None };
                    word += 8;
                    continue;
                }
                let id = *id.get_or_insert_with(|| self.id_of(here));
                let block = locked.get_or_insert_with(|| block.lock());
                let before = block.get(index);
                match last {
                    Some((known, after)) if known == before && bytes == 0xff => {
                        block.set(index, after);
                    }
                    _ => {
                        let result = access.make(&mut self.worker, block, index, bytes, id);
                        last = (bytes == 0xff).then(|| (before, block.get(index)));
                        if result.is_err() || self.worker.has_conflicts() {
                            last = None;
                            locked = None;
                            self.finish(result, word, here);
                        } else if last.is_some_and(|(_, after)| after.has(RECORD)) {
                            // Records are not shared.
                            last = None;
                        }
                    }
                }
                word += 8;
            }
        }
    }

    /// A block of the heap ends. Whoever gets its memory next forgets what was there.
    pub fn block_ends(&mut self, address: usize, len: usize, here: Here) {
        self.tries.forget(address, address + len);
        self.write(address, len, Kind::Free, here);
        if len >= LARGE_BLOCK {
            self.forget(address, address + len);
        }
    }

    /// A mapping ends.
    pub fn mapping_ends(&mut self, address: usize, len: usize, here: Here) {
        self.tries.forget(address, address + len);
        if len <= LARGE_MAPPING {
            self.write(address, len, Kind::Free, here);
        }
        self.forget(address, address.saturating_add(len));
    }

    /// Forgets the history of a range. Bytes of words that are only partly in it keep theirs.
    pub fn forget(&mut self, from: usize, to: usize) {
        self.forgotten = self.forgotten.wrapping_add(1);
        shadow::forget_range(from, to, |from, to| self.forget_words(from, to));
    }

    /// As [`Self::forget`], with the bytes of words that are only partly in the range.
    pub fn forget_exactly(&mut self, from: usize, to: usize, here: Here) {
        self.forget(from, to);
        for word in [from & !7, to & !7] {
            let bytes = if word < to { bytes_within(word, from, to) } else { 0 };
            if bytes != 0 && bytes != 0xff {
                let (block, index) = block_of(word);
                let result = self.worker.forget_bytes(&mut block.lock(), index, bytes);
                stuck::unless_exhausted(result, || here);
            }
        }
    }

    fn forget_words(&mut self, from: usize, to: usize) {
        let mut locked = None;
        let mut word = from;
        while word < to {
            let (block, index) = block_of(word);
            if index == 0 {
                locked = None;
            }
            if !block.cell(index).is_empty() {
                self.worker.forget(locked.get_or_insert_with(|| block.lock()), index);
            }
            word += 8;
        }
    }
}
