//! An access meets the history of its word.
//!
//! The rules are those of SP-bags, for each byte: a write is compared with the last writer and
//! with the reader, a read with the last writer; a write takes the place of whatever precedes it,
//! a read that of a reader that precedes it. A parallel reader is kept: whatever is parallel with
//! the newer one is parallel with it, too (pseudotransitivity of depth-first runs).
//!
//! That is all while execution is depth-first and no order but the strong one matters. Once tasks
//! wait for promises, every parallel reader is kept, in [`crate::serial::readers`] or [`crate::serial::crowds`]. A word
//! with atomic accesses, or with a conflict that was merely ordered in this run, keeps more in a
//! record: the oldest access of each kind and every later one that is not weakly before another, so
//! that the worst class is found.

use crate::kind::{Kind, Relation};
use crate::serial::cell::{
    ACCESSOR_INEXACT, Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT,
};
use crate::serial::conflicts::Conflict;
use crate::serial::judge::Judge;
use crate::serial::log::Id;
use crate::serial::present::Present;
use crate::serial::records::{CROWD, Entries, Entry, Few};
use crate::storage::Exhausted;

impl Judge {
    /// Notes a conflict with an earlier access. Returns whether it is merely order-dependent.
    pub(crate) fn report(&mut self, entry: Entry, second_kind: Kind, bytes: u8) -> bool {
        let both_atomic = entry.kind.is_atomic() && second_kind.is_atomic();
        let hop = if both_atomic { None } else { self.hop_to(entry.id) };
        if hop.is_some() && entry.thinned {
            self.counts.crowded += 1;
        }
        self.conflicts.push(Conflict {
            first: entry.id,
            first_kind: entry.kind,
            exact: !entry.inexact,
            second_kind,
            bytes,
            hop,
        });
        both_atomic || hop.is_some()
    }

    /// Reports a conflict of a plain access. Returns whether it is merely order-dependent.
    #[cold]
    #[inline(never)]
    fn plain_conflict(&mut self, entry: Entry, kind: Kind, bytes: u8) -> bool {
        self.report(entry, kind, entry.mask & bytes)
    }

    /// A plain read of some bytes of a word; `id` is that of its site in the present step.
    #[inline]
    pub fn read(&mut self, cell: &mut Cell, bytes: u8, id: Id) -> Result<(), Exhausted> {
        self.conflicts.clear();
        self.counts.accesses += 1;
        if self.read_quickly(cell, bytes, id) {
            return Ok(());
        }
        if cell.flags & (RECORD | OTHER_WRITES | MANY) != 0 {
            return self.read_with_more(cell, bytes, id);
        }
        let writer = cell.writer;
        if writer >= self.strong.present.base {
            if cell.writer_mask & bytes == bytes {
                return Ok(());
            }
        } else if cell.writer_mask & bytes != 0
            && self.strong.is_parallel(writer)
            && self.plain_conflict(cell.writer_entry(), Kind::Read, bytes)
        {
            return self.make_record(cell, Kind::Read, bytes, id);
        }
        self.note_read(cell, bytes, id)
    }

    /// A read of a word with an older writer, many readers or a record.
    #[inline(never)]
    fn read_with_more(&mut self, cell: &mut Cell, bytes: u8, id: Id) -> Result<(), Exhausted> {
        if cell.flags & RECORD != 0 {
            return self.access_record(cell, Kind::Read, bytes, id);
        }
        if cell.flags & MANY != 0 && cell.accessor < self.strong.present.settled {
            cell.forget_readers();
        }
        let mut softened = false;
        for entry in [cell.writer_entry(), cell.other_entry()] {
            if entry.id < self.strong.present.base
                && entry.mask & bytes != 0
                && self.strong.is_parallel(entry.id)
            {
                softened |= self.plain_conflict(entry, Kind::Read, bytes);
            }
        }
        if softened {
            return self.make_record(cell, Kind::Read, bytes, id);
        }
        if cell.has_written(self.strong.present.base, bytes) {
            return Ok(());
        }
        self.note_read(cell, bytes, id)
    }

    /// Notes a read that has no conflict, or a data race. The accessor is the newest reader, so
    /// that its step reads on quickly; an older one that is parallel with it becomes the other.
    #[inline]
    fn note_read(&mut self, cell: &mut Cell, bytes: u8, id: Id) -> Result<(), Exhausted> {
        if self.strong.order.is_general() {
            return self.note_read_anywhere(cell, bytes, id);
        }
        let Present { settled, base, .. } = self.strong.present;
        if cell.other_mask & bytes != 0
            && cell.flags & OTHER_WRITES == 0
            && cell.other < base
            && !self.strong.seems_parallel(cell.other)
        {
            // Of the bytes that the accessor has read, the other is parallel with it.
            cell.other_mask &= !bytes;
        }
        let Cell { accessor, accessor_mask, .. } = *cell;
        if accessor >= base {
            cell.extend_accessor(id, bytes);
            return Ok(());
        }
        if accessor >= settled && accessor_mask != 0 && !cell.accessor_is_writer() {
            let parallel = self.strong.seems_parallel(accessor);
            // What must be kept of the accessor: if it is parallel, all; else, bytes not read now.
            let kept = if parallel { accessor_mask } else { accessor_mask & !bytes };
            let other_free = cell.other_mask == 0 || cell.other < settled;
            if kept == 0 {
                // The present read takes its place.
            } else if other_free {
                cell.set_other(accessor, kept, false);
            } else if parallel
                && cell.flags & OTHER_WRITES == 0
                && kept & !cell.other_mask == 0
                && !self.strong.keeps_all()
            {
                // The other is parallel with the accessor, and so with the present step: it is as
                // good as both, unless only the accessor turns out to be unordered with a writer.
                if self.hop_to(accessor).is_none() {
                    cell.flags |= THINNED;
                }
            } else if parallel || kept & !cell.written_by_accessor() != 0 {
                return self.make_record(cell, Kind::Read, bytes, id);
            }
        }
        cell.set_accessor(id, bytes);
        Ok(())
    }

    /// A plain write to some bytes of a word, or the end of its life; `id` is that of its site in
    /// the present step.
    #[inline]
    pub fn write(
        &mut self,
        cell: &mut Cell,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        self.conflicts.clear();
        self.counts.accesses += 1;
        if self.write_quickly(cell, bytes, id) {
            cell.note_end(kind);
            return Ok(());
        }
        if cell.flags & RECORD != 0 {
            return self.access_record(cell, kind, bytes, id);
        }
        if cell.flags & MANY != 0 && !self.readers_precede(cell, bytes) {
            return self.make_record(cell, kind, bytes, id);
        }
        let base = self.strong.present.base;
        let mut softened = false;
        for entry in [cell.writer_entry(), cell.reading_entry(), cell.other_entry()] {
            if entry.mask & bytes != 0 && entry.id < base && self.strong.is_parallel(entry.id) {
                softened |= self.plain_conflict(entry, kind, bytes);
            }
        }
        if softened {
            return self.make_record(cell, kind, bytes, id);
        }
        if !self.note_write(cell, bytes, id) {
            return self.make_record(cell, kind, bytes, id);
        }
        cell.note_end(kind);
        Ok(())
    }

    /// An access to a word that no parallel step can reach as long as the current step lasts. All
    /// such accesses of a step have one id, and are taken for writes, whatever they are.
    #[inline]
    pub(crate) fn touch_private(&mut self, cell: &mut Cell, bytes: u8) {
        self.conflicts.clear();
        if cell.flags & RECORD != 0 {
            self.forget(cell);
        }
        let id = self.strong.present.private;
        let own = if cell.writer == id { cell.writer_mask } else { 0 };
        *cell = Cell::written(id, own | bytes);
    }

    /// Forgets a word's history.
    #[inline]
    pub fn forget(&mut self, cell: &mut Cell) {
        if cell.flags & RECORD != 0 && cell.accessor >= self.strong.region {
            self.crowds.give_back(self.records.crowd(cell.other));
            self.records.give_back(cell.other);
        }
        *cell = Cell::default();
    }

    /// Forgets the history of some bytes of a word.
    pub fn forget_bytes(&mut self, cell: &mut Cell, bytes: u8) {
        if *cell == Cell::UNMONITORED {
            return;
        }
        if let Some(record) = self.living_record(cell) {
            self.note_change();
            self.records.each_entry(record, |entry| entry.mask &= !bytes);
            self.crowds.forget_bytes(self.records.crowd(record), bytes);
            cell.writer_mask &= !bytes;
            cell.accessor_mask &= !bytes;
        } else {
            cell.forget_bytes(bytes);
        }
    }

    /// The record of a word, made from its cell if it has none.
    pub(crate) fn record_of(&mut self, cell: &mut Cell) -> Result<u32, Exhausted> {
        if let Some(record) = self.living_record(cell) {
            return Ok(record);
        }
        let few = self.few_of(cell);
        if self.has_list(cell) {
            return self.make_record_with_crowd(cell, &few);
        }
        self.make_record_of(cell, &few)
    }

    /// The record of a word, if it has one in which something is still of interest.
    fn living_record(&mut self, cell: &mut Cell) -> Option<u32> {
        let record = cell.record()?;
        // The accessor of a cell with a record is the last access of all.
        if cell.accessor >= self.strong.present.settled {
            return Some(record);
        }
        self.forget(cell);
        None
    }

    /// Whether older readers of a word are in a list.
    fn has_list(&self, cell: &Cell) -> bool {
        cell.flags & MANY != 0 && cell.accessor >= self.strong.present.settled
    }

    /// What a cell without a record says, but for the readers in its list.
    fn few_of(&self, cell: &Cell) -> Few {
        let mut few = Few::default();
        for entry in [cell.other_entry(), cell.reading_entry(), cell.writer_entry()] {
            if entry.mask != 0 && entry.id >= self.strong.present.settled {
                few.push(entry);
            }
        }
        few
    }

    pub(crate) fn make_record_of(&mut self, cell: &mut Cell, few: &Few) -> Result<u32, Exhausted> {
        self.note_change();
        let record = self.records.take()?;
        self.records.set_few(record, few);
        let last = few.iter().map(|entry| entry.id).max().unwrap_or(0);
        *cell = Cell { accessor: last, other: record, flags: RECORD, ..Cell::default() };
        Ok(record)
    }

    /// Turns a cell into a record and notes an access whose conflicts have been reported.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_record(
        &mut self,
        cell: &mut Cell,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        self.conflicts.clear();
        self.access_record(cell, kind, bytes, id)
    }

    /// An access to a word with a record.
    #[inline(never)]
    fn access_record(
        &mut self,
        cell: &mut Cell,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        if let Some(record) = self.living_record(cell) {
            return self.access_entries(cell, record, kind, bytes, id);
        }
        let mut few = self.few_of(cell);
        if self.has_list(cell) {
            let record = self.make_record_with_crowd(cell, &few)?;
            return self.access_entries(cell, record, kind, bytes, id);
        }
        if self.weak.graph.is_empty() {
            self.add(&mut few, kind, bytes, id);
            if let Some(small) = few.as_cell() {
                *cell = small;
            } else {
                self.make_record_of(cell, &few)?;
                cell.note_in_record(&self.strong.present, kind, bytes, id);
            }
            return Ok(());
        }
        let record = self.make_record_of(cell, &few)?;
        self.access_entries(cell, record, kind, bytes, id)
    }

    /// Adds an access to few others.
    fn add(&mut self, few: &mut Few, kind: Kind, bytes: u8, id: Id) {
        let to_add = self.meet(few, kind, bytes);
        few.drop_empty();
        if to_add == 0 {
            return;
        }
        // One that says the same of other bytes may do for both, and then there may be room in the cell.
        match few.iter_mut().find(|entry| entry.id == id && entry.kind == kind) {
            Some(entry) => entry.mask |= to_add,
            None => few.push(Entry { id, mask: to_add, kind, inexact: false, thinned: false }),
        }
    }

    pub(crate) fn access_entries(
        &mut self,
        cell: &mut Cell,
        record: u32,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        // As a rule the accesses are few and in one place.
        if let Some(mut few) = self.records.few(record)
            && self.weak.graph.is_empty()
        {
            cell.note_in_record(&self.strong.present, kind, bytes, id);
            self.add(&mut few, kind, bytes, id);
            let released = self.records.set_few(record, &few);
            if released == 0
                && !kind.is_atomic()
                && let Some(small) = few.as_cell()
            {
                self.records.give_back(record);
                *cell = small;
            }
            return Ok(());
        }
        if self.strong.keeps_all() {
            return self.access_crowd(cell, record, kind, bytes, id);
        }
        cell.note_in_record(&self.strong.present, kind, bytes, id);
        let mut entries = Entries::default();
        self.records.load(record, &mut entries);
        let to_add = self.meet(&mut entries, kind, bytes);
        entries.drop_empty();
        if to_add != 0 {
            self.thin_out(&mut entries, kind, to_add);
            entries.push(Entry { id, mask: to_add, kind, inexact: false, thinned: false });
        }
        self.records.store(record, &entries)
    }

    /// Whether the first of several parallel accesses of a kind is as good as all of them.
    pub(crate) fn may_thin(&self) -> bool {
        self.weak.graph.is_empty() && !self.strong.keeps_all()
    }

    /// Compares an access with earlier ones and takes from them what it makes unnecessary. Returns
    /// for which bytes the access has to be remembered.
    fn meet(&mut self, entries: &mut [Entry], kind: Kind, bytes: u8) -> u8 {
        let mut to_add = bytes;
        for entry in entries {
            let overlap = entry.mask & bytes;
            if entry.id >= self.strong.present.base {
                if entry.kind.covers(kind) {
                    to_add &= !entry.mask;
                } else if kind.covers(entry.kind) {
                    entry.mask &= !bytes;
                }
            } else if entry.id < self.strong.present.settled {
                entry.mask = 0;
            } else if overlap != 0 {
                if self.strong.is_parallel(entry.id) {
                    match entry.kind.relation(kind) {
                        Relation::Independent => {}
                        Relation::Commuting => self.counts.commuting += 1,
                        Relation::Atomic | Relation::Plain => {
                            self.report(*entry, kind, overlap);
                        }
                    }
                    if entry.kind == kind && self.may_thin() && kind != Kind::Write {
                        entry.thinned = true;
                        to_add &= !overlap;
                    }
                } else if kind.covers(entry.kind) {
                    entry.mask &= !bytes;
                }
            }
        }
        to_add
    }

    /// Drops what the access that is to be added makes unnecessary: those of its kind that are
    /// weakly before it, except the oldest. If there are too many, one more has to go.
    fn thin_out(&mut self, entries: &mut Entries, kind: Kind, bytes: u8) {
        // The bytes that an older one of its kind stands for.
        let mut older = 0;
        let mut index = 0;
        while index < entries.len() {
            let entry = entries[index];
            if entry.kind == kind && entry.mask & !bytes == 0 && entry.id < self.strong.present.base
            {
                let known = entry.mask & !older == 0 && self.hop_to(entry.id).is_some();
                older |= entry.mask;
                if known {
                    entries.remove(index);
                    continue;
                }
            }
            index += 1;
        }
        if entries.len() >= CROWD {
            self.make_room(entries);
        }
    }

    /// Drops an access for which an older one of its kind can stand in: the two are parallel, so
    /// whatever is parallel with it is parallel with the older one. Only the class may suffer.
    #[cold]
    fn make_room(&mut self, entries: &mut Entries) {
        for index in 1..entries.len() {
            let Entry { mask, kind, .. } = entries[index];
            let stand_in = |older: &&mut Entry| older.kind == kind && mask & !older.mask == 0;
            if let Some(older) = entries[..index].iter_mut().find(stand_in) {
                older.thinned = true;
                entries.remove(index);
                return;
            }
        }
        // Thirty accesses of different kinds or bytes: the verdict will have to mention it.
        self.counts.crowded += 1;
        let last_read = entries.iter().rposition(|entry| !entry.kind.writes());
        entries.remove(last_read.unwrap_or(1));
    }
}

impl Cell {
    /// Of a cell with a record, keeps for the access path what the present step has accessed, and
    /// when the last access was.
    fn note_in_record(&mut self, at: &Present, kind: Kind, bytes: u8, id: Id) {
        if self.accessor < at.base {
            self.accessor = id;
            self.accessor_mask = 0;
        }
        if self.writer < at.base {
            self.writer_mask = 0;
        }
        if !kind.is_atomic() {
            self.accessor_mask |= bytes;
        }
        if kind == Kind::Write {
            self.writer = id;
            self.writer_mask |= bytes;
        }
    }

    fn writer_entry(&self) -> Entry {
        Entry {
            id: self.writer,
            mask: self.writer_mask,
            kind: if self.flags & FREED == 0 { Kind::Write } else { Kind::Free },
            inexact: self.flags & WRITER_INEXACT != 0,
            thinned: false,
        }
    }

    /// The accessor, as far as it is not the writer.
    fn reading_entry(&self) -> Entry {
        let written = if self.accessor == self.writer { self.writer_mask } else { 0 };
        Entry {
            id: self.accessor,
            mask: self.accessor_mask & !written,
            kind: Kind::Read,
            inexact: self.flags & ACCESSOR_INEXACT != 0,
            thinned: self.flags & THINNED != 0,
        }
    }

    /// The other, if it is one.
    fn other_entry(&self) -> Entry {
        if self.flags & MANY != 0 {
            return Entry::default();
        }
        let kind = if self.flags & OTHER_WRITES == 0 { Kind::Read } else { Kind::Write };
        let thinned = self.flags & THINNED != 0;
        Entry { id: self.other, mask: self.other_mask, kind, inexact: true, thinned }
    }
}
