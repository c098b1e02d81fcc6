//! The readers of a word, in lists that words share, once the order is general.
//!
//! Then every parallel reader has to be kept; [`crate::serial::crowds`] says why. But neighbouring words are
//! mostly read by the same steps, at the same places, in the same order: a task reads a whole tile,
//! then another does. So a cell names its older readers by the newest of a list, to which nothing is
//! ever done but that a newer one is put in front of it; and whoever puts the same reader in front of
//! the same list gets the same list. All have read the bytes that the cell says.
//!
//! ```text
//!  cell of a[0] ── other ─┐
//!  cell of a[1] ── other ─┴─► id 70 ──► id 52 ──► id 31
//!  cell of a[2] ── other ───► id 71 ──────▲
//! ```
//!
//! * A reader of n words costs 16 bytes if the words have the same readers, and n times that at worst.
//!   To add it is to look it up among the last ones added; as a rule it is one of the very last.
//! * When a list has doubled, those that precede the present step are left out of it, if that makes it
//!   half as long, and if the step has read all of their bytes: O(1) for a reader, amortised.
//! * A write asks for every reader whether it precedes. The answer is remembered with the list, so
//!   that a step which writes a tile asks once. If one is parallel, the readers go into a crowd, where
//!   a conflict is dealt with; and so they do when bytes differ or an atomic access comes.
//! * Nobody counts who names a list. What is not named any more is found by going through all cells,
//!   when there are twice as many readers as the last time.

use crate::kind::Kind;
use crate::serial::cell::{ACCESSOR_INEXACT, Cell, MANY, OTHER_WRITES, THINNED};
use crate::serial::judge::Judge;
use crate::serial::log::Id;
use crate::serial::records::Entry;
use crate::storage::{Exhausted, Pool, Slot};

/// A reader, in front of older ones.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reader {
    /// Who; 0 if the slot is free.
    id: Id,
    /// The next older one, or 0; of a free slot, the next free one.
    older: u32,
    /// How many there are with all older ones, and the bits below.
    len: u32,
    /// It and all older ones precede the step whose ids begin here.
    precede: Id,
}

const _: () = assert!(size_of::<Reader>() == 16);

/// The reader touched some of the bytes at a later site of its step.
const INEXACT: u32 = 1 << 31;
/// A cell names the reader or a newer one; set only while that is looked for.
const NAMED: u32 = 1 << 30;
const LEN: u32 = NAMED - 1;

/// Lists shorter than this are never gone through for what precedes.
const FEW: u32 = 8;
/// There are at least so many readers before those that nobody names are looked for.
const SWEEP_AT: u32 = 1 << 20;
/// How many additions are remembered.
const ADDED: usize = 1 << 10;
/// How many lists are remembered that were gone through.
const THINNED_LISTS: usize = 1 << 6;

impl Slot for Reader {
    fn next_free(&self) -> u32 {
        self.older
    }

    fn set_next_free(&mut self, next: u32) {
        *self = Self { older: next, ..Self::default() };
    }
}

/// What is left of a list without those that precede a step.
#[derive(Clone, Copy, Default, Debug)]
struct ThinnedList {
    list: u32,
    base: Id,
    left: u32,
}

/// An accessor that the present step has put in front of a list.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Joined {
    /// The accessor; it has touched no byte at a later site.
    pub accessor: Id,
    /// The list that it was put in front of.
    pub older: u32,
    /// The list with it; it is not time to go through that.
    pub list: u32,
}

/// All lists of readers of a region.
#[derive(Debug)]
pub struct Readers {
    /// The last accessors that the present step has put into lists, each where its id says: mostly they
    /// have to be put there for the next words, too. Loops are unrolled, so there are several.
    pub joined: [Joined; Self::JOINED],
    pool: Pool<Reader>,
    /// The last additions; what was added to what is with the reader.
    added: [u32; ADDED],
    thinned: [ThinnedList; THINNED_LISTS],
    count: u32,
    sweep_at: u32,
}

impl Readers {
    /// How many accessors are remembered that have been put into lists.
    pub const JOINED: usize = 16;

    /// None yet.
    pub fn new(slots: &'static mut [Reader]) -> Self {
        Self {
            joined: [Joined::default(); Self::JOINED],
            pool: Pool::new(slots),
            added: [0; ADDED],
            thinned: [ThinnedList::default(); THINNED_LISTS],
            count: 0,
            sweep_at: SWEEP_AT,
        }
    }

    /// Forgets all. Cells that name a list must not be asked for it any more.
    pub fn clear(&mut self) {
        if self.pool.high_water() > 1 {
            self.pool.clear();
            self.forget_memos();
            (self.count, self.sweep_at) = (0, SWEEP_AT);
        }
    }

    fn forget_memos(&mut self) {
        self.added = [0; ADDED];
        self.thinned = [ThinnedList::default(); THINNED_LISTS];
        self.forget_joined();
    }

    /// Another step begins.
    #[inline]
    pub(crate) fn forget_joined(&mut self) {
        self.joined = [Joined::default(); Self::JOINED];
    }

    #[inline]
    fn place(id: Id, older: u32) -> usize {
        let mixed = (id ^ older.rotate_left(16)).wrapping_mul(0x9e37_79b9);
        (mixed >> (32 - ADDED.ilog2())) as usize
    }

    /// The list with a reader in front of older ones, if it was made lately.
    #[inline]
    fn known(&self, id: Id, inexact: bool, older: u32) -> Option<u32> {
        let at = self.added[Self::place(id, older)];
        let reader = &self.pool[at];
        let same = reader.id == id && reader.older == older;
        (same && (reader.len & INEXACT != 0) == inexact).then_some(at)
    }

    /// The list with a reader in front of older ones.
    #[inline]
    fn add(&mut self, id: Id, inexact: bool, older: u32) -> Result<u32, Exhausted> {
        if let Some(known) = self.known(id, inexact, older) {
            return Ok(known);
        }
        let len = self.len(older) + 1;
        let bits = if inexact { INEXACT } else { 0 };
        let new = self.pool.take(Reader { id, older, len: len | bits, precede: 0 })?;
        self.added[Self::place(id, older)] = new;
        self.count += 1;
        Ok(new)
    }

    /// How many readers a list has.
    fn len(&self, list: u32) -> u32 {
        if list == 0 { 0 } else { self.pool[list].len & LEN }
    }

    /// Whether it is time to go through the list.
    #[inline]
    fn is_due(&self, list: u32) -> bool {
        let len = self.len(list);
        len >= FEW && len.is_power_of_two()
    }

    /// Whether all are known to precede the step whose ids begin at `base`.
    #[inline]
    pub(crate) fn precede(&self, list: u32, base: Id) -> bool {
        self.pool[list].precede == base
    }

    /// Puts a copy of a reader in front of a list that nobody knows, and that is taken apart at once.
    fn put_aside(&mut self, reader: Reader, list: u32) -> Result<u32, Exhausted> {
        self.pool.take(Reader { older: list, ..reader })
    }

    /// Takes such a list apart: its newest, and the others.
    fn take_back(&mut self, list: u32) -> (Reader, u32) {
        let reader = self.pool[list];
        self.pool.give_back(list);
        (reader, reader.older)
    }
}

impl Reader {
    fn is_inexact(&self) -> bool {
        self.len & INEXACT != 0
    }
}

impl Judge {
    /// Reads a word whose older readers are in a list, if the answer is plain.
    #[inline]
    pub(crate) fn read_among_many_quickly(&self, cell: &mut Cell, bytes: u8, id: Id) -> bool {
        let at = &self.strong.present;
        let Cell { writer, accessor, accessor_mask, other, other_mask, flags, .. } = *cell;
        if !self.strong.surely_precedes(writer) || accessor == writer {
            return false;
        }
        let joined = self.readers.joined[accessor as usize % Readers::JOINED];
        if accessor == joined.accessor && other == joined.older {
            if accessor_mask != other_mask || flags & ACCESSOR_INEXACT != 0 {
                return false;
            }
            cell.other = joined.list;
            cell.set_accessor(id, bytes);
            return true;
        }
        if accessor < at.settled || self.readers.is_due(other) {
            return false;
        }
        if accessor >= at.base {
            cell.extend_accessor(id, bytes);
            return true;
        }
        let replaced = accessor_mask & !bytes == 0 && self.strong.surely_precedes(accessor);
        if replaced {
            cell.set_accessor(id, bytes);
        }
        replaced
    }

    /// Notes a read that has no conflict, or a data race, in the general order. Nothing is dropped but
    /// what precedes; the newest reader is the accessor.
    pub(crate) fn note_read_anywhere(
        &mut self,
        cell: &mut Cell,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        let settled = self.strong.present.settled;
        let Cell { accessor, accessor_mask, other, other_mask, flags, .. } = *cell;
        let own = accessor >= self.strong.present.base;
        // What the present step has read, as far as the cell says so.
        let covered = if own { accessor_mask | bytes } else { bytes };
        if flags & (MANY | OTHER_WRITES) == 0
            && other_mask & !covered == 0
            && other_mask != 0
            && !self.strong.seems_parallel(other)
        {
            cell.other_mask = 0;
        }
        if own {
            cell.extend_accessor(id, bytes);
        } else {
            if accessor >= settled && accessor_mask != 0 && !cell.accessor_is_writer() {
                let parallel = self.strong.seems_parallel(accessor);
                // What must be kept of the accessor: if it is parallel, all; else, bytes not read now.
                let kept = if parallel { accessor_mask } else { accessor_mask & !bytes };
                let other_free =
                    cell.other_mask == 0 || (flags & MANY == 0 && cell.other < settled);
                if kept == 0 {
                    // The present read takes its place.
                } else if other_free {
                    cell.set_other(accessor, kept, false);
                } else if flags & (OTHER_WRITES | THINNED) == 0 && accessor_mask == other_mask {
                    self.accessor_joins_readers(cell)?;
                } else if parallel || kept & !cell.written_by_accessor() != 0 {
                    return self.make_record(cell, Kind::Read, bytes, id);
                }
            }
            cell.set_accessor(id, bytes);
        }
        if cell.flags & MANY != 0 && cell.other_mask & !covered == 0 {
            self.thin_readers(cell)?;
        }
        Ok(())
    }

    /// The accessor of a cell becomes the newest of its older readers, all of which have read the same
    /// bytes.
    fn accessor_joins_readers(&mut self, cell: &mut Cell) -> Result<(), Exhausted> {
        let older = if cell.flags & MANY == 0 {
            self.readers.add(cell.other, true, 0)?
        } else {
            cell.other
        };
        let inexact = cell.flags & ACCESSOR_INEXACT != 0;
        let list = self.readers.add(cell.accessor, inexact, older)?;
        if !inexact && cell.flags & MANY != 0 && !self.readers.is_due(list) {
            let joined = Joined { accessor: cell.accessor, older, list };
            self.readers.joined[cell.accessor as usize % Readers::JOINED] = joined;
        }
        cell.other = list;
        cell.flags |= MANY;
        Ok(())
    }

    /// Drops readers that precede the present step, which has read all their bytes, if it is time.
    fn thin_readers(&mut self, cell: &mut Cell) -> Result<(), Exhausted> {
        if self.readers.is_due(cell.other) {
            cell.other = self.thinned_list(cell.other)?;
            if cell.other == 0 {
                cell.forget_readers();
            }
        }
        Ok(())
    }

    /// A list without those that precede the present step, if it is much shorter.
    fn thinned_list(&mut self, list: u32) -> Result<u32, Exhausted> {
        let base = self.strong.present.base;
        let slot = list as usize % THINNED_LISTS;
        let known = self.readers.thinned[slot];
        if known.list == list && known.base == base {
            return Ok(known.left);
        }
        let (mut at, mut aside, mut parallel) = (list, 0, 0);
        while at != 0 && !self.readers.precede(at, base) {
            let reader = self.readers.pool[at];
            if self.strong.seems_parallel(reader.id) {
                aside = self.readers.put_aside(reader, aside)?;
                parallel += 1;
            }
            at = reader.older;
        }
        let is_shorter = parallel <= self.readers.len(list) / 2;
        let mut left = if is_shorter { 0 } else { list };
        while aside != 0 {
            let (reader, others) = self.readers.take_back(aside);
            if is_shorter {
                left = self.readers.add(reader.id, reader.is_inexact(), left)?;
            }
            aside = others;
        }
        self.readers.thinned[slot] = ThinnedList { list, base, left };
        Ok(left)
    }

    /// Whether a write to these bytes meets no parallel reader among those in the list of a cell.
    pub(crate) fn readers_precede(&mut self, cell: &Cell, bytes: u8) -> bool {
        let base = self.strong.present.base;
        if cell.accessor < self.strong.present.settled || cell.other_mask & bytes == 0 {
            return true;
        }
        let mut at = cell.other;
        while at != 0 && !self.readers.precede(at, base) {
            let Reader { id, older, .. } = self.readers.pool[at];
            if self.strong.is_parallel(id) {
                return false;
            }
            at = older;
        }
        let mut at = cell.other;
        while at != 0 && !self.readers.precede(at, base) {
            self.readers.pool[at].precede = base;
            at = self.readers.pool[at].older;
        }
        true
    }

    /// Hands out the readers of a list, the oldest first.
    pub(crate) fn each_reader(
        &mut self,
        list: u32,
        mask: u8,
        mut each: impl FnMut(&mut Self, Entry) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let (mut at, mut aside) = (list, 0);
        while at != 0 {
            let reader = self.readers.pool[at];
            aside = self.readers.put_aside(reader, aside)?;
            at = reader.older;
        }
        while aside != 0 {
            let (reader, others) = self.readers.take_back(aside);
            let inexact = reader.is_inexact();
            let (id, kind) = (reader.id, Kind::Read);
            each(self, Entry { id, mask, kind, inexact, thinned: false })?;
            aside = others;
        }
        Ok(())
    }

    /// Whether it is time for [`Self::sweep_readers`].
    #[inline]
    pub fn readers_are_due(&self) -> bool {
        self.readers.count > self.readers.sweep_at
    }

    /// Forgets the lists of readers that no cell names; `each_cell` goes through all cells. Without it
    /// that is put off.
    pub fn sweep_readers(&mut self, each_cell: Option<impl FnOnce(&mut dyn FnMut(&mut [Cell]))>) {
        let region = self.strong.region;
        let readers = &mut self.readers;
        if let Some(each_cell) = each_cell {
            each_cell(&mut |cells| {
                let named = |cell: &&Cell| cell.flags & MANY != 0 && cell.accessor >= region;
                for cell in cells.iter().filter(named) {
                    let mut at = cell.other;
                    while at != 0 && readers.pool[at].len & NAMED == 0 {
                        readers.pool[at].len |= NAMED;
                        at = readers.pool[at].older;
                    }
                }
            });
            readers.count = 0;
            let count = &mut readers.count;
            readers.pool.keep(|reader| {
                let is_named = reader.len & NAMED != 0;
                reader.len &= !NAMED;
                *count += u32::from(is_named);
                is_named
            });
            readers.forget_memos();
        }
        readers.sweep_at = readers.count.saturating_mul(2).max(SWEEP_AT);
    }
}

impl Cell {
    /// The readers in the list need not be remembered.
    #[inline]
    pub(crate) fn forget_readers(&mut self) {
        (self.other, self.other_mask) = (0, 0);
        self.flags &= !MANY;
    }
}
