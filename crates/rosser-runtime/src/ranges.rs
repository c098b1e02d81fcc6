//! Accesses of many words, and what happens to the cells of whole ranges.

use rosser_shadow::cell::{Cell, RECORD};
use rosser_shadow::engine::Engine;
use rosser_shadow::kind::Kind;
use rosser_shadow::log::Id;

use crate::backtrace::Here;
use crate::checked::{Checked, StackBounds, if_on};
use crate::shadow::{self, cell_of};
use crate::system;

/// What an access to some bytes of a word has made of its cell. The next words mostly have the same
/// history, and then the same becomes of them.
struct Transition {
    before: Cell,
    after: Cell,
    bytes: u8,
}

impl Transition {
    /// An access to no bytes: nobody makes it.
    const NONE: Self = Self { before: Cell::UNMONITORED, after: Cell::UNMONITORED, bytes: 0 };

    /// Makes the same access to another word, if it is the same.
    #[inline]
    fn repeats(&self, cell: &mut Cell, bytes: u8) -> bool {
        let same = *cell == self.before && bytes == self.bytes;
        if same {
            *cell = self.after;
        }
        same
    }
}

impl Checked {
    /// A plain read of any length.
    pub fn read(&mut self, address: usize, len: usize, here: Here) {
        if len == 0
            || !self.prepare(address, len, Kind::Read, here)
            || self.is_private(address, len, here)
        {
            return;
        }
        let base = self.engine.base();
        self.each_word(
            (address, len, here),
            |cell, bytes| cell.has_accessed(base, bytes),
            Engine::read_quickly,
            |checked, word, bytes, id| checked.read_word(word, bytes, id, here),
        );
    }

    /// A plain write of any length, or the end of a block.
    pub fn write(&mut self, address: usize, len: usize, kind: Kind, here: Here) {
        if len == 0
            || !self.prepare(address, len, kind, here)
            || kind == Kind::Write && self.is_private(address, len, here)
        {
            return;
        }
        let end = address + len;
        let (first, last) = (address.next_multiple_of(8), end & !7);
        if first < last {
            self.write_words(address, first, kind, here);
            self.write_whole_words(first, last, kind, here);
            self.write_words(last, end, kind, here);
        } else {
            self.write_words(address, end, kind, here);
        }
    }

    fn write_words(&mut self, from: usize, to: usize, kind: Kind, here: Here) {
        let base = self.engine.base();
        self.each_word(
            (from, to - from, here),
            |cell, bytes| kind == Kind::Write && cell.has_written(base, bytes),
            |engine, cell, bytes, id| {
                let done = engine.write_quickly(cell, bytes, id);
                if done {
                    cell.note_end(kind);
                }
                done
            },
            |checked, word, bytes, id| checked.write_word(word, kind, bytes, id, here),
        );
    }

    /// Writes whole words, of which little remains to be remembered: mostly blocks that were used by the
    /// task that frees them, or by tasks that are over.
    fn write_whole_words(&mut self, first: usize, last: usize, kind: Kind, here: Here) {
        let id = self.id_of(here);
        let mut written = Cell::written(id, 0xff);
        written.note_end(kind);
        // SAFETY: the cells are mapped and only this thread uses them.
        let cells = unsafe { std::slice::from_raw_parts_mut(cell_of(first), (last - first) / 8) };
        let done = self.engine.overwrite(cells, written, kind == Kind::Write);
        self.write_words(first + 8 * done, last, kind, here);
    }

    /// Makes an access of any length, word by word: those that the step has not made before quickly if
    /// that is possible, else slowly.
    #[inline(always)]
    fn each_word(
        &mut self,
        (address, len, here): (usize, usize, Here),
        was_made: impl Fn(&Cell, u8) -> bool,
        quickly: impl Fn(&Engine, &mut Cell, u8, Id) -> bool,
        slowly: impl Fn(&mut Self, usize, u8, Id),
    ) {
        let mut id = None;
        let mut last = Transition::NONE;
        for (word, bytes) in words(address, len) {
            // SAFETY: the cell is mapped and only this thread uses it.
            let cell = unsafe { &mut *cell_of(word) };
            if last.repeats(cell, bytes) || was_made(cell, bytes) {
                continue;
            }
            let id = *id.get_or_insert_with(|| self.id_of(here));
            let before = *cell;
            if quickly(&self.engine, cell, bytes, id) {
                last = Transition { before, after: *cell, bytes };
            } else {
                slowly(self, word, bytes, id);
            }
        }
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
        const WHOLE_PAGES: usize = 64 << 10;
        self.forget_elsewhere(from, to);
        let (first, last) = (from.next_multiple_of(8), to & !7);
        let mut word = first;
        if last.saturating_sub(first) >= WHOLE_PAGES {
            shadow::forget_pages(first, last);
            // What is left are the cells before the first and after the last whole page.
            let pages = (first.next_multiple_of(system::PAGE / 2), last & !(system::PAGE / 2 - 1));
            self.forget_words(first, pages.0);
            word = pages.1;
        }
        self.forget_words(word, last);
    }

    fn forget_words(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        // SAFETY: the cells are mapped and only this thread uses them.
        let cells = unsafe { std::slice::from_raw_parts_mut(cell_of(from), (to - from) / 8) };
        if self.engine.has_records()
            && cells.iter().fold(0, |flags, cell| flags | cell.flags) & RECORD != 0
        {
            for cell in &mut *cells {
                self.engine.forget(cell);
            }
        }
        cells.fill(Cell::default());
    }
}

/// The words of a range, each with the bytes that are in it.
#[inline]
pub fn words(address: usize, len: usize) -> impl Iterator<Item = (usize, u8)> {
    let end = address + len;
    (address & !7..end).step_by(8).map(move |word| {
        let before = address.saturating_sub(word) as u32;
        let after = (word + 8).saturating_sub(end) as u32;
        (word, 0xff_u8 << before & 0xff_u8 >> after)
    })
}

/// A read of any length, if checks are on.
#[cold]
#[inline(never)]
pub extern "C" fn read_range(address: usize, len: usize, here: Here) {
    if let Some(checked) = if_on() {
        checked.read(address, len, here);
    }
}

/// A write of any length, if checks are on.
#[cold]
#[inline(never)]
pub extern "C" fn write_range(address: usize, len: usize, here: Here) {
    if let Some(checked) = if_on() {
        checked.write(address, len, Kind::Write, here);
    }
}
