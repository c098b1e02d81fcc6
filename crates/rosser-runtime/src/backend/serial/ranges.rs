//! Accesses of many words, and what happens to the cells of whole ranges.

use rosser_detect::kind::Kind;
use rosser_detect::serial::cell::{Cell, RECORD};
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::log::Id;

use crate::backtrace::Here;
use crate::checked::Checked;
use crate::recent::When;
use crate::shadow::{self, cell_of};
use crate::stack::StackBounds;
use crate::words::words;

/// A cell as one number, which is compared at once.
#[inline(always)]
fn bits(cell: &Cell) -> u128 {
    // SAFETY: it has the size and the alignment, and no padding.
    unsafe { *(&raw const *cell).cast() }
}

/// Kinds of accesses, word by word. Not closures, which would not be inlined: then what a word becomes would be
/// written in parts, and could not be read as a whole right away.
trait Words: Copy {
    /// Whether the present step, whose ids begin at `base`, has made the access before, or others stand for it.
    fn is_needless(self, engine: &Engine, cell: &Cell, base: Id, bytes: u8) -> bool;
    /// Makes it, if the answer is plain.
    fn make_quickly(self, engine: &Engine, cell: &mut Cell, bytes: u8, id: Id) -> bool;
    /// Makes it in any case.
    fn make_slowly(self, checked: &mut Checked, word: usize, bytes: u8, id: Id, here: Here);
}

/// Plain reads.
#[derive(Clone, Copy)]
struct Reads;

impl Words for Reads {
    #[inline(always)]
    fn is_needless(self, engine: &Engine, cell: &Cell, base: Id, bytes: u8) -> bool {
        cell.has_accessed(base, bytes) || engine.judge.is_stood_in_for(cell)
    }
    #[inline(always)]
    fn make_quickly(self, engine: &Engine, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        engine.judge.read_quickly(cell, bytes, id)
    }
    fn make_slowly(self, checked: &mut Checked, word: usize, bytes: u8, id: Id, here: Here) {
        checked.read_word(word, bytes, id, here);
    }
}

/// Writes, and ends of blocks.
#[derive(Clone, Copy)]
struct Writes(Kind);

impl Words for Writes {
    #[inline(always)]
    fn is_needless(self, _: &Engine, cell: &Cell, base: Id, bytes: u8) -> bool {
        self.0 == Kind::Write && cell.has_written(base, bytes)
    }
    #[inline(always)]
    fn make_quickly(self, engine: &Engine, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        let done = engine.judge.write_quickly(cell, bytes, id);
        if done {
            cell.note_end(self.0);
        }
        done
    }
    fn make_slowly(self, checked: &mut Checked, word: usize, bytes: u8, id: Id, here: Here) {
        checked.write_word(word, self.0, bytes, id, here);
    }
}

/// From this size on a freed block's cells are dropped instead of marked.
const LARGE_BLOCK: usize = 1 << 20;
/// Larger mappings are not looked through when they end.
const LARGE_MAPPING: usize = 64 << 20;

impl Checked {
    /// A plain read of any length.
    #[inline]
    pub fn read(&mut self, address: usize, len: usize, here: Here) {
        let (end, when) = (address + len, self.now());
        if len == 0
            || self.recently_read.covers(address, end, when)
            || !self.prepare(address, len, Kind::Read, here)
            || self.is_private(address, len, here)
        {
            return;
        }
        let (first, last) = whole_words(address, end);
        self.part(Reads, address, first, here);
        self.each_word(Reads, first, last, here);
        self.part(Reads, last, end, here);
        self.recently_read.note(address, end, when);
    }

    /// A plain write of any length, or the end of a block.
    #[inline]
    pub fn write(&mut self, address: usize, len: usize, kind: Kind, here: Here) {
        let (end, when) = (address + len, self.now());
        let is_write = kind == Kind::Write;
        if len == 0
            || is_write && self.recently_written.covers(address, end, when)
            || !self.prepare(address, len, kind, here)
            || is_write && self.is_private(address, len, here)
        {
            return;
        }
        let (first, last) = whole_words(address, end);
        self.part(Writes(kind), address, first, here);
        self.write_whole_words(first, last, kind, here);
        self.part(Writes(kind), last, end, here);
        if is_write {
            self.recently_written.note(address, end, when);
        } else {
            self.forget_recent();
        }
    }

    /// What the step has accessed is remembered until this changes.
    #[inline(always)]
    fn now(&self) -> When {
        // A step that has made an access has ids, and so a base of its own.
        When { step: self.engine.base(), forgotten: self.forgotten }
    }

    /// Words may be new to the step that has accessed them.
    #[inline(always)]
    pub fn forget_recent(&mut self) {
        self.forgotten = self.forgotten.wrapping_add(1);
    }

    /// Writes whole words, of which little remains to be remembered: mostly blocks that were used by the
    /// task that frees them, or by tasks that are over.
    fn write_whole_words(&mut self, first: usize, last: usize, kind: Kind, here: Here) {
        if first >= last {
            return;
        }
        let id = self.id_of(here);
        let mut written = Cell::written(id, 0xff);
        written.note_end(kind);
        // SAFETY: the cells are mapped and only this thread uses them.
        let cells = unsafe { std::slice::from_raw_parts_mut(cell_of(first), (last - first) / 8) };
        let done = self.engine.judge.overwrite(cells, written, kind == Kind::Write);
        self.each_word(Writes(kind), first + 8 * done, last, here);
    }

    /// An access to a part of a word, or to nothing.
    #[inline(always)]
    fn part(&mut self, access: impl Words, from: usize, to: usize, here: Here) {
        #[inline(never)]
        fn part(checked: &mut Checked, access: impl Words, from: usize, to: usize, here: Here) {
            checked.each_word(access, from, to, here);
        }
        if from < to {
            part(self, access, from, to, here);
        }
    }

    /// Makes an access, word by word: those that the step has not made before quickly if that is possible,
    /// else slowly. If it begins within a word or ends in one, it is to no other.
    #[inline(always)]
    fn each_word(&mut self, access: impl Words, from: usize, to: usize, here: Here) {
        if from >= to {
            return;
        }
        let base = self.engine.base();
        let bytes = bytes_within(from, to);
        let len = (to - (from & !7)).div_ceil(8);
        // SAFETY: the cells are mapped and only this thread uses them.
        let cell = |index| unsafe { &mut *cell_of(from).add(index) };
        let mut id = None;
        let mut index = 0;
        loop {
            if index == len {
                return;
            }
            // The next words mostly have the same history, and then the same becomes of them.
            let before = *cell(index);
            if access.is_needless(&self.engine, &before, base, bytes) {
                index += 1;
                while index < len && bits(cell(index)) == bits(&before) {
                    index += 1;
                }
                continue;
            }
            let id = *id.get_or_insert_with(|| self.id_of(here));
            let mut after = before;
            if !access.make_quickly(&self.engine, &mut after, bytes, id) {
                access.make_slowly(self, (from & !7) + 8 * index, bytes, id, here);
                index += 1;
                continue;
            }
            *cell(index) = after;
            index += 1;
            while index < len && bits(cell(index)) == bits(&before) {
                *cell(index) = after;
                index += 1;
            }
        }
    }

    /// A block of the heap ends.
    pub fn block_ends(&mut self, address: usize, len: usize, here: Here) {
        if !self.watch.is_empty() {
            self.stop_watching_range(address, len);
        }
        self.write(address, len, Kind::Free, here);
        if len >= LARGE_BLOCK {
            shadow::forget_pages(address, address + len);
            self.forget_elsewhere(address, address + len);
        }
    }

    /// A mapping ends.
    pub fn mapping_ends(&mut self, address: usize, len: usize, here: Here) {
        self.stop_watching_range(address, len);
        if len <= LARGE_MAPPING {
            self.write(address, len, Kind::Free, here);
        }
        self.forget(address, address.saturating_add(len));
    }

    fn stop_watching_range(&mut self, address: usize, len: usize) {
        self.watch.forget(address, len);
        self.set_limit();
    }

    /// Sets the cells of a range. Thread-locals belong to the thread: they are not monitored.
    pub fn fill(range: StackBounds, value: Cell) {
        for (word, _) in words(range.low, range.high - range.low) {
            // SAFETY: the cell is mapped and only this thread uses it.
            unsafe { cell_of(word).write(value) };
        }
    }

    /// Forgets the history of a range. Bytes of words that are only partly in it keep theirs.
    pub fn forget(&mut self, from: usize, to: usize) {
        self.forget_recent();
        self.forget_elsewhere(from, to);
        shadow::forget_range(from, to, |from, to| self.forget_words(from, to));
    }

    /// As [`Self::forget`], with the bytes of words that are only partly in the range.
    pub fn forget_exactly(&mut self, from: usize, to: usize, _: Here) {
        self.forget(from, to);
        let (first, last) = whole_words(from, to);
        for (from, to) in [(from, first), (last, to)] {
            if from < to {
                // SAFETY: the cell is mapped and only this thread uses it.
                let cell = unsafe { &mut *cell_of(from) };
                self.engine.judge.forget_bytes(cell, bytes_within(from, to));
            }
        }
    }

    fn forget_words(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        // SAFETY: the cells are mapped and only this thread uses them.
        let cells = unsafe { std::slice::from_raw_parts_mut(cell_of(from), (to - from) / 8) };
        if self.engine.judge.has_records()
            && cells.iter().fold(0, |flags, cell| flags | cell.flags) & RECORD != 0
        {
            for cell in &mut *cells {
                self.engine.judge.forget(cell);
            }
        }
        cells.fill(Cell::default());
    }
}

/// Where the whole words of a range begin and end; both at the end if it is within one word.
#[inline(always)]
fn whole_words(address: usize, end: usize) -> (usize, usize) {
    let (first, last) = (address.next_multiple_of(8), end & !7);
    if first <= last { (first, last) } else { (end, end) }
}

/// The bytes of a word that are in a range; of the first word, if it is of several.
#[inline(always)]
fn bytes_within(from: usize, to: usize) -> u8 {
    let after = (8 - (from & 7)).saturating_sub(to - from);
    0xff_u8 << (from & 7) & 0xff_u8 >> after
}
