//! What an access does to the cell of its word, and what it is in conflict with.
//!
//! Accesses that are dropped have others that stand for them: whatever conflicts with a dropped one later, conflicts
//! with one of those. The class may be milder, because a lock may order the present access after the stand-ins and
//! not after the dropped one. It is never worse.

use crate::kind::Ordering;
use crate::kind::{Kind, Relation};
use crate::serial::log::Site;
use crate::serial::weak::Via;
use crate::storage::Exhausted;

use crate::sf_order::cell::{
    Block, CROWD, Cell, Contents, FREED, INEXACT, Locked, RECORD, UNMONITORED,
};

use crate::sf_order::log::Id;
use crate::sf_order::records::{Entries, Entry, MOST, Record};
use crate::sf_order::strands::Before;
use crate::sf_order::weak::Knowledge;
use crate::sf_order::worker::Worker;

/// How many accesses of one kind are kept of a word if they are parallel with each other: those that come
/// last in either order, and some for the sake of weak order.
const ALIKE: usize = 6;

/// How many accesses are many, and of how many of them it is then found out whether they are needed.
const LONG: usize = 48;
const LOOKS: usize = 4;

/// An atomic operation that has been carried out.
#[derive(Clone, Copy, Debug)]
pub struct Atomic {
    /// Whether it loads, stores, or updates.
    pub kind: Kind,
    /// Whether it acquires and releases.
    pub ordering: Ordering,
    /// What was there before, in the word's bytes that it touched.
    pub old: u64,
    /// What is there now.
    pub new: u64,
}

/// The bits of some bytes of a word.
fn bits_of(bytes: u8) -> u64 {
    (0..8).filter(|byte| bytes >> byte & 1 != 0).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

impl Worker {
    /// Whether a plain read of some bytes needs nothing to be done: it is in conflict with nothing, and
    /// others stand for it. A glance at the cell tells.
    #[inline]
    pub fn is_stood_in_for(&mut self, cell: &Cell, bytes: u8) -> bool {
        let Some(contents) = cell.glance() else { return false };
        if self.shared.futures.any() || contents.has(UNMONITORED) {
            return false;
        }
        if contents.has(RECORD) {
            return self.stands_in_crowd(cell, contents, bytes);
        }
        if bytes & !contents.read() != 0 {
            return false;
        }
        let (english, hebrew) = (contents.english(), contents.hebrew());
        if english < self.settled || hebrew < self.settled {
            return false;
        }
        // One that runs on this worker and is parallel is over with all that it forked and joined, so that
        // whatever will be parallel with the present strand is so with it.
        let stands = |worker: &mut Self, id: Id, is_before: fn(Before) -> bool| {
            let before = worker.before(id);
            !is_before(before) || worker.is_of_this_run(id) && !before.precedes()
        };
        let writer = contents.writer();
        stands(self, english, |before| before.english)
            && stands(self, hebrew, |before| before.hebrew)
            && (contents.written() & bytes == 0 || self.before(writer).precedes())
    }

    /// A plain read of some bytes of a word.
    #[inline]
    pub fn read(
        &mut self,
        block: &mut Locked,
        index: usize,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        self.counts.accesses += 1;
        let contents = self.live(block.get(index));
        let contents = self.read_contents(contents, bytes, id)?;
        block.set(index, contents);
        if contents.has(RECORD) {
            self.note_crowd(block.cell(index), contents, bytes, id);
        }
        Ok(())
    }

    /// A plain write to some bytes of a word, or the end of its heap block.
    #[inline]
    pub fn write(
        &mut self,
        block: &mut Locked,
        index: usize,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        self.counts.accesses += 1;
        let contents = self.live(block.get(index));
        block.set(index, self.write_contents(contents, kind, bytes, id)?);
        Ok(())
    }

    /// An access to a word that no other task can reach now. It is noted for the access path alone.
    #[inline]
    pub fn touch_private(
        &mut self,
        block: &mut Locked,
        index: usize,
        bytes: u8,
    ) -> Result<(), Exhausted> {
        self.counts.accesses += 1;
        let id = self.private_id()?;
        let contents = self.live(block.get(index));
        if contents.has(RECORD) {
            self.shared.records.give_back(contents.writer(), &mut self.free);
        }
        let is_own = contents.flags() == 0 && self.is_own(contents.writer());
        let bytes = if is_own { contents.written() | bytes } else { bytes };
        block.set(index, Contents::default().written_by(id, bytes, 0));
        Ok(())
    }

    /// What a cell says, unless it is of a region that is over.
    #[inline]
    fn live(&self, contents: Contents) -> Contents {
        let is_over = contents.has(RECORD) && contents.writer() < self.settled_records;
        if is_over { Contents::default() } else { contents }
    }

    #[inline]
    fn read_contents(
        &mut self,
        contents: Contents,
        bytes: u8,
        id: Id,
    ) -> Result<Contents, Exhausted> {
        if contents.has(RECORD | UNMONITORED) {
            return self.meet_others(contents, Kind::Read, bytes, id);
        }
        let (writer, read) = (contents.writer(), contents.read());
        if contents.written() & bytes != 0
            && !self.is_own(writer)
            && !self.before(writer).precedes()
        {
            return self.meet_others(contents, Kind::Read, bytes, id);
        }
        let (english, hebrew) = (contents.english(), contents.hebrew());
        if read == 0 || english.max(hebrew) < self.settled {
            return Ok(contents.read_by(id, id, bytes));
        }
        if !self.is_of_same_future(english) || !self.is_of_same_future(hebrew) {
            return self.meet_others(contents, Kind::Read, bytes, id);
        }
        let (e, h) = (self.before(english), self.before(hebrew));
        if read == bytes {
            let english = if e.english { id } else { english };
            let hebrew = if h.hebrew { id } else { hebrew };
            return Ok(contents.read_by(english, hebrew, bytes));
        }
        if read & !bytes == 0 && e.precedes() && h.precedes() {
            return Ok(contents.read_by(id, id, bytes));
        }
        if self.is_own(english) && self.is_own(hebrew) {
            return Ok(contents.read_by(english, hebrew, read | bytes).with(INEXACT));
        }
        self.meet_others(contents, Kind::Read, bytes, id)
    }

    #[inline]
    fn write_contents(
        &mut self,
        contents: Contents,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<Contents, Exhausted> {
        if contents.has(RECORD | UNMONITORED) {
            return self.meet_others(contents, kind, bytes, id);
        }
        let (writer, written, read) = (contents.writer(), contents.written(), contents.read());
        let (english, hebrew) = (contents.english(), contents.hebrew());
        // Whoever is not before the present strand is left to the general rules.
        let mut written_before = 0;
        if written != 0 && writer >= self.settled {
            if written & bytes != 0 && !self.is_own(writer) && !self.before(writer).precedes() {
                return self.meet_others(contents, kind, bytes, id);
            }
            written_before = written & !bytes;
        }
        let mut read_before = 0;
        if read != 0 && english.max(hebrew) >= self.settled {
            if read & bytes != 0
                && !(self.before(english).precedes() && self.before(hebrew).precedes())
            {
                return self.meet_others(contents, kind, bytes, id);
            }
            read_before = read & !bytes;
        }
        if written_before != 0 && (!self.is_own(writer) || kind == Kind::Free) {
            return self.meet_others(contents, kind, bytes, id);
        }
        let freed = if kind == Kind::Free { FREED } else { 0 };
        let is_inexact = written_before != 0 || read_before != 0 && contents.has(INEXACT);
        let inexact = if is_inexact { INEXACT } else { 0 };
        let contents = contents.written_by(id, written_before | bytes, freed | inexact);
        let (english, hebrew) = if read_before == 0 { (0, 0) } else { (english, hebrew) };
        Ok(contents.read_by(english, hebrew, read_before))
    }

    /// What a cell says, one by one. The list is the worker's, who is to get it back.
    fn entries_of(&mut self, contents: &Contents) -> Entries {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        if contents.has(RECORD) {
            self.shared.records.load(contents.writer(), &mut entries);
            return entries;
        }
        let inexact = contents.has(INEXACT);
        for id in [contents.english(), contents.hebrew()] {
            let is_new = entries.iter().all(|entry| entry.id != id);
            if contents.read() != 0 && id >= self.settled && is_new {
                entries.push(Entry { id, bytes: contents.read(), kind: Kind::Read, inexact });
            }
        }
        if contents.written() != 0 && contents.writer() >= self.settled {
            entries.push(writer_of(contents));
        }
        entries
    }

    /// An access by the general rules, to a word that has a record or now gets one.
    #[cold]
    #[inline(never)]
    fn meet_others(
        &mut self,
        contents: Contents,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<Contents, Exhausted> {
        if contents.has(UNMONITORED) {
            return Ok(contents);
        }
        let mut entries = self.entries_of(&contents);
        let record = if contents.has(RECORD) {
            contents.writer()
        } else {
            self.shared.records.take(&mut self.free)?
        };
        let is_complete = self.meet(&mut entries, kind, bytes, id);
        self.shared.records.store(record, &entries, &mut self.free)?;
        let was_crowd = contents.has(CROWD) || !contents.has(RECORD);
        let is_crowd = was_crowd && is_complete && !entries.iter().any(|entry| entry.kind.writes());
        self.entries = entries;
        let contents = self.with_record(contents, record, kind, bytes, id);
        Ok(if is_crowd { contents.with(CROWD) } else { contents })
    }

    /// What the access path needs to know of a word with a record.
    fn with_record(
        &self,
        contents: Contents,
        record: Record,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Contents {
        let (mut accessor, mut accessed) = (0, 0);
        let (mut changed, mut written) = (id, 0);
        if contents.has(RECORD) {
            if self.is_own(contents.english()) {
                (accessor, accessed) = (contents.english(), contents.read());
            }
            changed = contents.changed();
            if self.is_own(changed) {
                written = contents.written();
            }
        }
        if !kind.is_atomic() {
            (accessor, accessed) = (id, accessed | bytes);
        }
        if kind.writes() {
            changed = id;
        }
        if kind == Kind::Write {
            written |= bytes;
        }
        let new = Contents::default().read_by(accessor, changed, accessed);
        new.written_by(record, written, RECORD)
    }

    /// Compares an access with earlier ones, takes from them what it makes unnecessary, and adds it. Returns
    /// whether nothing is forgotten that may matter.
    fn meet(&mut self, entries: &mut Entries, kind: Kind, bytes: u8, id: Id) -> bool {
        let mut to_add = bytes;
        for entry in entries.iter_mut() {
            let overlap = entry.bytes & bytes;
            if entry.id < self.settled {
                entry.bytes = 0;
            } else if self.is_own(entry.id) {
                if entry.kind.covers(kind) {
                    to_add &= !entry.bytes;
                } else if kind.covers(entry.kind) {
                    entry.bytes &= !bytes;
                }
            } else if overlap != 0 {
                if self.before(entry.id).precedes() {
                    if kind.covers(entry.kind) {
                        entry.bytes &= !bytes;
                    }
                    continue;
                }
                match entry.kind.relation(kind) {
                    Relation::Independent => {}
                    Relation::Commuting => self.counts.commuting += 1,
                    Relation::Atomic | Relation::Plain => self.conflict(*entry, kind, overlap),
                }
            }
        }
        entries.drop_empty();
        let mut is_complete = true;
        if to_add != 0 {
            if entries.len() >= ALIKE {
                is_complete = self.thin_out(entries, kind, id);
            }
            entries.push(Entry { id, bytes: to_add, kind, inexact: false });
        }
        is_complete
    }

    /// Makes room: of many accesses that are alike, those are kept that come last in one of the orders,
    /// and the newest. Returns whether that was enough.
    ///
    /// Of a long list only a few are looked at, others each time, so that an access costs a number of steps that
    /// grows with the list's length and not with its square.
    #[cold]
    fn thin_out(&mut self, entries: &mut Entries, kind: Kind, id: Id) -> bool {
        let alike = |a: &Entry, b: &Entry| a.kind == b.kind && a.bytes & !b.bytes == 0;
        let (mut index, mut looks) = (0, entries.len());
        if entries.len() > LONG {
            index = id.wrapping_mul(0x9e37_79b1) as usize % entries.len();
            looks = LOOKS;
        }
        while index < entries.len() && looks > 0 {
            let entry = entries[index];
            let many = entries.iter().filter(|other| alike(&entry, other)).count() >= ALIKE;
            if entry.kind == kind && many && self.is_dispensable(entries, index) {
                entries.remove(index);
            } else {
                index += 1;
            }
            looks -= 1;
        }
        let is_enough = entries.len() < MOST;
        if !is_enough {
            self.counts.crowded += 1;
            let read = entries.iter().position(|entry| !entry.kind.writes());
            entries.remove(read.unwrap_or(0));
        }
        is_enough
    }

    /// Whether others, of the same kind and future and with the same bytes or more, come after an access in
    /// English order and in Hebrew order: whatever is parallel with it is so with one of those.
    fn is_dispensable(&self, entries: &Entries, index: usize) -> bool {
        let strand = |entry: &Entry| self.shared.log.strand(entry.id);
        let entry = entries[index];
        let mut place = self.shared.strands.place(strand(&entry));
        let future = self.shared.future_of(strand(&entry));
        let (mut english, mut hebrew) = (false, false);
        for (other_index, other) in entries.iter().enumerate() {
            if other_index == index
                || other.kind != entry.kind
                || entry.bytes & !other.bytes != 0
                || self.shared.future_of(strand(other)) != future
            {
                continue;
            }
            if strand(other) == strand(&entry) {
                // Of the same strand the newest has the most to say.
                if other.id > entry.id {
                    return true;
                }
                continue;
            }
            let before = self.shared.strands.before(strand(other), &mut place);
            english |= !before.english;
            hebrew |= !before.hebrew;
        }
        english && hebrew
    }

    /// An atomic operation on some bytes of a word. It was carried out while its block was locked.
    pub fn atomic(
        &mut self,
        block: &mut Locked,
        index: usize,
        atomic: &Atomic,
        bytes: u8,
        id: Id,
        place: Site,
    ) -> Result<(), Exhausted> {
        self.counts.accesses += 1;
        let contents = self.live(block.get(index));
        let contents = self.atomic_contents(contents, atomic, bytes, id, place)?;
        block.set(index, contents);
        if atomic.kind == Kind::Load && !atomic.ordering.acquires && contents.has(RECORD) {
            self.note_load(block.cell(index), contents, bytes, id, atomic.new);
        }
        Ok(())
    }

    fn atomic_contents(
        &mut self,
        held: Contents,
        atomic: &Atomic,
        bytes: u8,
        id: Id,
        place: Site,
    ) -> Result<Contents, Exhausted> {
        let Atomic { kind, ordering, old, new } = *atomic;
        if held.has(UNMONITORED) {
            return Ok(held);
        }
        let released = self.notice_hidden_release(&held, bytes, old, place)?;
        let contents = self.meet_others(held, kind, bytes, id)?;
        let record = contents.writer();
        let Worker { shared, .. } = *self;
        let mut released = if kind == Kind::Store { 0 } else { released };
        let others = shared.records.value(record) & !bits_of(bytes);
        shared.records.set_value(record, others | new & bits_of(bytes));
        if kind != Kind::Store {
            if ordering.acquires {
                self.current.known = shared.weak.acquire(self.current.known, released, place)?;
            } else {
                self.current.at_fence =
                    shared.weak.acquire(self.current.at_fence, released, place)?;
            }
        }
        if kind.writes() {
            // A store begins anew; an update adds to what was released before.
            let given = if ordering.releases {
                self.release(place, Via::ReleaseAcquire)?
            } else {
                self.current.fence_released
            };
            released = shared.weak.both(given, released)?;
        }
        shared.records.set_released(record, released);
        Ok(contents)
    }

    /// What was released at a word whose bytes have some value. If it is not the one that the last
    /// operation left there, code that is not instrumented has changed it: then all that was done so far
    /// was released.
    fn notice_hidden_release(
        &mut self,
        held: &Contents,
        bytes: u8,
        value: u64,
        place: Site,
    ) -> Result<Knowledge, Exhausted> {
        if !held.has(RECORD) {
            return Ok(0);
        }
        let Worker { shared, .. } = *self;
        let released = shared.records.released(held.writer());
        let is_same = (shared.records.value(held.writer()) ^ value) & bits_of(bytes) == 0;
        if is_same || !shared.has_hidden {
            return Ok(released);
        }
        let entries = self.entries_of(held);
        // A plain write changes the value as well, and releases nothing.
        let mut is_known = false;
        for entry in entries.iter() {
            if entry.kind.is_atomic() {
                is_known |= bytes & !entry.bytes == 0;
            } else if entry.kind.writes() && entry.bytes & bytes != 0 {
                is_known = false;
            }
        }
        self.entries = entries;
        if is_known { shared.weak.moment(released, place, shared.progress()) } else { Ok(released) }
    }

    /// Acquires what was released at a word that the task has tried to acquire from, if that was meanwhile
    /// done by code that is not instrumented. Its bytes now have some value.
    pub fn acquire_hidden(
        &mut self,
        block: &Block,
        index: usize,
        bytes: u8,
        value: u64,
        place: Site,
    ) -> Result<(), Exhausted> {
        let locked = block.lock();
        let held = self.live(locked.get(index));
        let released = self.notice_hidden_release(&held, bytes, value, place)?;
        if held.has(RECORD) {
            let Worker { shared, .. } = *self;
            shared.records.set_released(held.writer(), released);
            let others = shared.records.value(held.writer()) & !bits_of(bytes);
            shared.records.set_value(held.writer(), others | value & bits_of(bytes));
        }
        drop(locked);
        self.current.known = self.shared.weak.acquire(self.current.known, released, place)?;
        Ok(())
    }

    /// What the present task gives to whoever acquires from it now. Begins a new step: what it
    /// does from now on is not in it.
    pub(crate) fn release(&mut self, site: Site, via: Via) -> Result<Knowledge, Exhausted> {
        let next = self.next_id()?;
        let strand = self.strand_and_got();
        let released = self.shared.weak.release(self.current.known, strand, next, site, via)?;
        self.begin_step();
        Ok(released)
    }

    /// A fence that acquires, releases or both.
    pub fn fence(&mut self, site: Site, ordering: Ordering) -> Result<(), Exhausted> {
        if ordering.acquires {
            let current = self.current;
            self.current.known = self.shared.weak.acquire(current.known, current.at_fence, site)?;
        }
        if ordering.releases {
            self.current.fence_released = self.release(site, Via::ReleaseAcquire)?;
        }
        Ok(())
    }

    /// Forgets the history of some bytes of a word.
    pub fn forget_bytes(
        &mut self,
        block: &mut Locked,
        index: usize,
        bytes: u8,
    ) -> Result<(), Exhausted> {
        let contents = self.live(block.get(index));
        if contents.has(UNMONITORED) {
            return Ok(());
        }
        let forgotten = if contents.has(RECORD) {
            let record = contents.writer();
            let mut entries = self.entries_of(&contents);
            entries.iter_mut().for_each(|entry| entry.bytes &= !bytes);
            entries.drop_empty();
            self.shared.records.store(record, &entries, &mut self.free)?;
            self.entries = entries;
            // What workers remember of the word is good no longer.
            Contents::default().written_by(record, 0, RECORD)
        } else {
            let (written, read) = (contents.written() & !bytes, contents.read() & !bytes);
            let (english, hebrew) = (contents.english(), contents.hebrew());
            let writer = contents.written_by(contents.writer(), written, contents.flags());
            if written | read == 0 {
                Contents::default()
            } else {
                writer.read_by(english, hebrew, read)
            }
        };
        block.set(index, forgotten);
        Ok(())
    }

    /// Forgets the history of a word: its memory has a new owner.
    #[inline]
    pub fn forget(&mut self, block: &mut Locked, index: usize) {
        let contents = self.live(block.get(index));
        if contents.has(RECORD) {
            self.shared.records.give_back(contents.writer(), &mut self.free);
        }
        block.set(index, Contents::default());
    }
}

/// The last write of a word without a record.
fn writer_of(contents: &Contents) -> Entry {
    Entry {
        id: contents.writer(),
        bytes: contents.written(),
        kind: if contents.has(FREED) { Kind::Free } else { Kind::Write },
        inexact: contents.has(INEXACT),
    }
}
