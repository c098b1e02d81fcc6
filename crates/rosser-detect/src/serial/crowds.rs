//! The history of a word that many tasks touch, once execution is not depth-first or a task has
//! joined a scope further out than the innermost.
//!
//! Then no access may be dropped just because another is parallel with it: a later one can be ordered
//! after either, and not after the other, by a promise or a scope. An access is dropped if
//! * it precedes the present one, which conflicts with all that it conflicts with;
//! * it is in a data race with the present one, which is a write: there is nothing worse to be found
//!   at these bytes;
//! * an order-dependent conflict was reported at its bytes, so that only a data race would be worse,
//!   and it is merely ordered before the present one: whatever is in a data race with it, is in one
//!   with that, too.
//!
//! All others are kept, each kind in a chain of its own, so that a reader need not look at readers,
//! nor an addition at additions. What that costs: a word that n parallel tasks touch has n accesses of
//! 8 bytes. Another one is added in O(1) amortised: when a chain has doubled, it is gone through for
//! what precedes. A write looks at all n.
//!
//! An atomic access that is in conflict with other atomic ones needs one conflict with each kind. Where
//! one was reported before, it looks for it among the [newest](NEWEST) of a kind only: of another pair of
//! places at the same bytes it may miss the conflict with an older one. What was reported holds until
//! nothing is left of the history of a byte. Memory that is used again, as that of a local variable is,
//! and other data in it are thus no different from fresh memory.
//!
//! Words that are merely read by many, as most are, do not come here in the general order: they share
//! their [readers](crate::serial::readers).

use crate::kind::{Kind, Relation};
use crate::serial::cell::Cell;
use crate::serial::judge::Judge;
use crate::serial::log::Id;
use crate::serial::records::{Entries, Entry, Few};
use crate::storage::{Exhausted, Pool, Slot};

const ENTRIES: usize = 6;

/// Accesses of one kind to a word: the newest of them, or some older ones.
#[derive(Clone, Copy, Default, Debug)]
pub struct Crowd {
    entries: [Entry; ENTRIES],
    /// Older ones of the same kind.
    older: u32,
    /// Of the newest: those of another kind.
    other_kind: u32,
    /// Of the newest: how many there are, with all older ones.
    count: u32,
    len: u8,
    kind: Kind,
    /// Of the newest: when there are two to the power of this many, they are gone through.
    due: u8,
    /// Of the first kind: the bytes at which an order-dependent conflict was reported.
    reported: u8,
}

const _: () = assert!(size_of::<Crowd>() == 64);

/// How many accesses of a kind are never gone through, as a power of two.
const FEW: u8 = 3;

/// How many accesses of a kind an atomic one is compared with, where a conflict was reported before.
pub const NEWEST: usize = 64;

impl Slot for Crowd {
    fn next_free(&self) -> u32 {
        self.older
    }

    fn set_next_free(&mut self, next: u32) {
        self.older = next;
    }
}

/// All crowds of a region.
#[derive(Debug)]
pub struct Crowds {
    pool: Pool<Crowd>,
}

impl Crowds {
    /// None yet.
    pub fn new(slots: &'static mut [Crowd]) -> Self {
        Self { pool: Pool::new(slots) }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// Gives back all accesses of a word, whose first kind is given.
    pub fn give_back(&mut self, first: u32) {
        let mut newest = first;
        while newest != 0 {
            let other_kind = self.pool[newest].other_kind;
            let mut at = newest;
            while at != 0 {
                let older = self.pool[at].older;
                self.pool.give_back(at);
                at = older;
            }
            newest = other_kind;
        }
    }

    /// Goes through all accesses of a word, whose first kind is given.
    pub fn each_entry(&mut self, first: u32, mut each: impl FnMut(&mut Entry)) {
        let mut newest = first;
        while newest != 0 {
            let mut at = newest;
            while at != 0 {
                let crowd = &mut self.pool[at];
                crowd.entries[..usize::from(crowd.len)].iter_mut().for_each(&mut each);
                at = crowd.older;
            }
            newest = self.pool[newest].other_kind;
        }
    }

    /// Forgets the history of some bytes of a word, whose first kind is given.
    pub fn forget_bytes(&mut self, first: u32, bytes: u8) {
        self.each_entry(first, |entry| entry.mask &= !bytes);
        if first != 0 {
            self.pool[first].reported &= !bytes;
        }
    }

    /// The crowd of a kind, or none.
    fn of_kind(&self, first: u32, kind: Kind) -> u32 {
        let mut at = first;
        while at != 0 && self.pool[at].kind != kind {
            at = self.pool[at].other_kind;
        }
        at
    }

    fn newest(&self, at: u32) -> Option<Entry> {
        let crowd = &self.pool[at];
        crowd.entries[..usize::from(crowd.len)].last().copied()
    }

    /// Adds an access to the crowd of its kind. Returns whether it is time to go through it.
    fn push(&mut self, at: u32, entry: Entry) -> Result<bool, Exhausted> {
        let mut crowd = self.pool[at];
        if usize::from(crowd.len) == ENTRIES {
            let moved = Crowd { other_kind: 0, ..crowd };
            crowd.older = self.pool.take(moved)?;
            crowd.len = 0;
        }
        crowd.entries[usize::from(crowd.len)] = entry;
        crowd.len += 1;
        crowd.count += 1;
        self.pool[at] = crowd;
        Ok(crowd.count >> crowd.due != 0)
    }
}

/// An access that comes to a crowd.
#[derive(Clone, Copy)]
struct Newcomer {
    kind: Kind,
    bytes: u8,
    /// The first kind of the word's crowd.
    first: u32,
}

/// What comes of comparing older accesses with a newcomer.
#[derive(Clone, Copy, Default)]
struct Met {
    /// The bytes at which something is kept of the older ones.
    kept: u8,
    /// The bytes at which they are in conflict with the newcomer.
    in_conflict: u8,
}

impl Met {
    fn and(&mut self, other: Self) {
        self.kept |= other.kept;
        self.in_conflict |= other.in_conflict;
    }
}

impl Judge {
    /// An access to a word with a record.
    pub(crate) fn access_crowd(
        &mut self,
        cell: &mut Cell,
        record: u32,
        kind: Kind,
        bytes: u8,
        id: Id,
    ) -> Result<(), Exhausted> {
        let first = self.crowd_of(record, kind)?;
        let newcomer = Newcomer { kind, bytes, first };
        let mut to_add = bytes;
        let mut left = 0;
        let mut met = Met::default();
        let mut at = first;
        while at != 0 {
            let theirs = self.crowds.pool[at].kind;
            if theirs.covers(kind)
                && let Some(own) =
                    self.crowds.newest(at).filter(|own| own.id >= self.strong.present.base)
            {
                to_add &= !own.mask;
            }
            match theirs.relation(kind) {
                Relation::Independent => met.kept = 0xff,
                Relation::Commuting => {
                    self.count_commuting(at);
                    met.kept = 0xff;
                }
                Relation::Atomic | Relation::Plain => met.and(self.meet_crowd(at, newcomer)),
            }
            left += self.crowds.pool[at].count;
            at = self.crowds.pool[at].other_kind;
        }
        if left == 0 && kind == Kind::Write && bytes == 0xff && self.records.released(record) == 0 {
            // The word has no history but this write.
            self.crowds.give_back(first);
            self.records.give_back(record);
            *cell = Cell::written(id, bytes);
            return Ok(());
        }
        // Where everything precedes the access and nothing is left, a new history begins.
        self.crowds.pool[first].reported &= met.kept | met.in_conflict | !bytes;
        if to_add != 0 {
            self.join_crowd(newcomer, to_add, id)?;
        }
        cell.note_in_crowd(self.strong.present.base, kind, bytes, id);
        Ok(())
    }

    /// The crowd of a word, with what its record held before, and with one for the given kind at
    /// least.
    fn crowd_of(&mut self, record: u32, kind: Kind) -> Result<u32, Exhausted> {
        let mut first = self.records.crowd(record);
        if first == 0 {
            first = self.new_crowd(record, kind)?;
            self.move_into_crowd(record, first)?;
        }
        Ok(first)
    }

    fn new_crowd(&mut self, record: u32, kind: Kind) -> Result<u32, Exhausted> {
        let first = self.crowds.pool.take(Crowd { kind, due: FEW, ..Crowd::default() })?;
        self.records.set_crowd(record, first);
        Ok(first)
    }

    /// The accesses that a record holds itself join its crowd.
    fn move_into_crowd(&mut self, record: u32, first: u32) -> Result<(), Exhausted> {
        let mut entries = Entries::default();
        self.records.load(record, &mut entries);
        for entry in entries.iter() {
            let at = self.crowd_of_kind(first, entry.kind)?;
            self.crowds.push(at, *entry)?;
        }
        self.records.store(record, &Entries::default())
    }

    /// Turns a cell with a list of readers into a record; `few` is what else it says.
    #[cold]
    pub(crate) fn make_record_with_crowd(
        &mut self,
        cell: &mut Cell,
        few: &Few,
    ) -> Result<u32, Exhausted> {
        let Cell { accessor, other: list, other_mask, .. } = *cell;
        let record = self.make_record_of(cell, few)?;
        // The accessor of a cell with a record is the last access of all.
        cell.accessor = cell.accessor.max(accessor);
        let first = self.new_crowd(record, Kind::Read)?;
        self.each_reader(list, other_mask, |engine, reader| {
            engine.crowds.push(first, reader).map(|_| ())
        })?;
        self.move_into_crowd(record, first)?;
        Ok(record)
    }

    /// The crowd of a kind, made if there is none.
    fn crowd_of_kind(&mut self, first: u32, kind: Kind) -> Result<u32, Exhausted> {
        let at = self.crowds.of_kind(first, kind);
        if at != 0 {
            return Ok(at);
        }
        let other_kind = self.crowds.pool[first].other_kind;
        let new =
            self.crowds.pool.take(Crowd { kind, other_kind, due: FEW, ..Crowd::default() })?;
        self.crowds.pool[first].other_kind = new;
        Ok(new)
    }

    fn count_commuting(&mut self, at: u32) {
        if let Some(newest) = self.crowds.newest(at)
            && newest.id < self.strong.present.base
            && newest.id >= self.strong.present.settled
            && self.strong.seems_parallel(newest.id)
        {
            self.counts.commuting += 1;
        }
    }

    /// Compares an access with a crowd of a kind that it can be in conflict with. What it does not look
    /// at is kept.
    fn meet_crowd(&mut self, crowd: u32, newcomer: Newcomer) -> Met {
        let Newcomer { kind, bytes, first } = newcomer;
        let both_atomic = self.crowds.pool[crowd].kind.is_atomic() && kind.is_atomic();
        let was_reported = bytes & !self.crowds.pool[first].reported == 0;
        let enough = if both_atomic && was_reported { NEWEST } else { usize::MAX };
        let mut looked_at = 0;
        let mut all = Met::default();
        self.filter(crowd, |engine, entry| {
            // Between atomic accesses no other conflict is worse.
            if both_atomic && bytes & !all.in_conflict == 0 || looked_at == enough {
                all.kept = 0xff;
                return None;
            }
            looked_at += 1;
            let met = engine.compare(entry, newcomer);
            all.and(met);
            Some(met.kept)
        });
        all
    }

    /// Reports the conflict of two accesses, if they have one.
    fn compare(&mut self, entry: Entry, newcomer: Newcomer) -> Met {
        let Newcomer { kind, bytes, first } = newcomer;
        let covers = kind.covers(entry.kind);
        let overlap = entry.mask & bytes;
        let without_conflict = |kept| Met { kept, in_conflict: 0 };
        if entry.id >= self.strong.present.base {
            // Of two that cover each other the older one stays: the newer is not added.
            let stays = !covers || entry.kind.covers(kind);
            return without_conflict(if stays { entry.mask } else { entry.mask & !bytes });
        }
        if entry.id < self.strong.present.settled {
            return without_conflict(0);
        }
        if overlap == 0 {
            return without_conflict(entry.mask);
        }
        if !self.strong.is_parallel(entry.id) {
            return without_conflict(if covers { entry.mask & !bytes } else { entry.mask });
        }
        let is_dropped = if self.report(entry, kind, overlap) {
            self.crowds.pool[first].reported |= overlap;
            covers && self.is_weakly_before(entry.id)
        } else {
            kind.writes()
        };
        let kept = if is_dropped { entry.mask & !overlap } else { entry.mask };
        Met { kept, in_conflict: overlap }
    }

    fn is_weakly_before(&mut self, id: Id) -> bool {
        self.hop_to(id).is_some()
    }

    /// Adds an access of which everything else has been seen to.
    fn join_crowd(&mut self, newcomer: Newcomer, to_add: u8, id: Id) -> Result<(), Exhausted> {
        let Newcomer { kind, bytes, first } = newcomer;
        let at = self.crowd_of_kind(first, kind)?;
        let entry = Entry { id, mask: to_add, kind, inexact: false, thinned: false };
        if let Some(newest) = self.crowds.newest(at) {
            let precedes = newest.id < self.strong.present.base
                && newest.mask & !bytes == 0
                && (newest.id < self.strong.present.settled
                    || !self.strong.seems_parallel(newest.id));
            let crowd = &mut self.crowds.pool[at];
            let last = &mut crowd.entries[usize::from(crowd.len) - 1];
            if newest.id == id {
                last.mask |= to_add;
                return Ok(());
            }
            if precedes {
                *last = entry;
                return Ok(());
            }
        }
        if self.crowds.push(at, entry)? {
            self.go_through(at, newcomer);
        }
        Ok(())
    }

    /// Drops what is not needed any more.
    fn go_through(&mut self, crowd: u32, newcomer: Newcomer) {
        let Newcomer { bytes, first, .. } = newcomer;
        let reported = self.crowds.pool[first].reported;
        self.filter(crowd, |engine, entry| {
            let Entry { id, mask, .. } = entry;
            Some(if id >= engine.strong.present.base || mask & bytes == 0 {
                mask
            } else if id < engine.strong.present.settled {
                0
            } else if !engine.strong.seems_parallel(id) {
                mask & !bytes
            } else if mask & !(bytes & reported) == 0 && engine.is_weakly_before(id) {
                0
            } else {
                mask
            })
        });
        let crowd = &mut self.crowds.pool[crowd];
        crowd.due = FEW.max(crowd.count.max(1).ilog2() as u8 + 2);
    }

    /// Keeps of each access the bytes that `keep` says; ends when it says nothing.
    fn filter(&mut self, crowd: u32, mut keep: impl FnMut(&mut Self, Entry) -> Option<u8>) {
        let mut previous = 0;
        let mut at = crowd;
        let mut dropped = 0;
        let mut done = false;
        while at != 0 && !done {
            let Crowd { older, len, .. } = self.crowds.pool[at];
            let mut kept = 0;
            for index in 0..usize::from(len) {
                let mut entry = self.crowds.pool[at].entries[index];
                if !done {
                    match keep(self, entry) {
                        Some(mask) => entry.mask = mask,
                        None => done = true,
                    }
                }
                if entry.mask == 0 {
                    dropped += 1;
                } else {
                    self.crowds.pool[at].entries[kept] = entry;
                    kept += 1;
                }
            }
            self.crowds.pool[at].len = kept as u8;
            if kept == 0 && at != crowd {
                self.crowds.pool[previous].older = older;
                self.crowds.pool.give_back(at);
            } else {
                previous = at;
            }
            at = older;
        }
        self.crowds.pool[crowd].count -= dropped;
    }
}

impl Cell {
    /// Notes an access that is in the record, so that its step makes it quickly the next time.
    fn note_in_crowd(&mut self, base: Id, kind: Kind, bytes: u8, id: Id) {
        if self.accessor < base {
            self.accessor_mask = 0;
        }
        self.accessor = id;
        if kind == Kind::Read || kind == Kind::Write {
            self.accessor_mask |= bytes;
        }
        if kind == Kind::Write {
            let own = if self.writer < base { 0 } else { self.writer_mask };
            (self.writer, self.writer_mask) = (id, own | bytes);
        }
    }
}
