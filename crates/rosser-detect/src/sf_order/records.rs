//! Words of which more has to be known than fits into a cell.
//!
//! A record is read and written under the lock of its word's cell.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::kind::Kind;
use crate::storage::Exhausted;

use crate::sf_order::log::Id;
use crate::sf_order::weak::Knowledge;

/// A record, by number; 0 is none.
pub type Record = u32;

/// How many accesses one slot has room for.
const ENTRIES: usize = 6;
/// How many accesses are kept of a word. Each access is compared with all of them.
pub const MOST: usize = 4096;
/// How many records a worker takes at once.
const CHUNK: u32 = 64;

/// A slot of a record.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Slot {
    /// What was released at the word, and the next slot of the record.
    links: AtomicU64,
    /// What is there, after the last atomic operation that was seen.
    value: AtomicU64,
    entries: [AtomicU64; ENTRIES],
}

const _: () = assert!(size_of::<Slot>() == 64);

/// A remembered access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The access, by its id.
    pub id: Id,
    /// Its bytes; none if there is no such access.
    pub bytes: u8,
    /// Whether it reads, writes, or updates, plainly or not.
    pub kind: Kind,
    /// Its site is that of another of its strand's accesses.
    pub inexact: bool,
}

impl Entry {
    fn pack(self) -> u64 {
        u64::from(self.id)
            | u64::from(self.bytes) << 32
            | (self.kind as u64) << 40
            | u64::from(self.inexact) << 48
    }

    fn unpack(word: u64) -> Self {
        Self {
            id: word as Id,
            bytes: (word >> 32) as u8,
            kind: Kind::ALL[(word >> 40) as usize & 0xf],
            inexact: word >> 48 & 1 != 0,
        }
    }
}

/// The accesses of a word, oldest first. Empty ones have no room; a worker has one list, which it uses again.
#[derive(Debug, Default)]
pub struct Entries {
    list: Box<[Entry]>,
    len: usize,
}

impl Entries {
    /// An empty list, with room for all accesses that are kept and one more.
    pub fn with_room() -> Self {
        Self { list: vec![Entry::default(); MOST + 1].into(), len: 0 }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the newest. There must be room.
    pub fn push(&mut self, entry: Entry) {
        self.list[self.len] = entry;
        self.len += 1;
    }

    /// Drops those without bytes.
    pub fn drop_empty(&mut self) {
        self.retain(|entry| entry.bytes != 0);
    }

    /// Keeps those of which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            if keep(&self.list[index]) {
                self.list[kept] = self.list[index];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Removes an entry.
    pub fn remove(&mut self, index: usize) {
        self.list.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }
}

impl std::ops::Deref for Entries {
    type Target = [Entry];
    fn deref(&self) -> &[Entry] {
        &self.list[..self.len]
    }
}

impl std::ops::DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut [Entry] {
        &mut self.list[..self.len]
    }
}

/// All records. Relaxed: a record is used under the lock of the block whose cell names it (P2), and one that was given
/// back by the worker that has it; chunks need only be different.
#[derive(Debug)]
pub struct Records {
    slots: &'static [Slot],
    next: AtomicU32,
}

/// The records that a worker may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free {
    /// A list of records that were given back.
    list: Record,
    next: Record,
    end: Record,
}

impl Records {
    /// No records.
    pub fn new(slots: &'static [Slot]) -> Self {
        Self { slots, next: AtomicU32::new(1) }
    }

    /// The first that nobody has yet.
    pub fn first_free(&self) -> Record {
        self.next.load(Relaxed).saturating_mul(CHUNK)
    }

    /// The number of slots that there is memory for.
    pub fn capacity(&self) -> u32 {
        u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    /// Begins anew: no record is named anywhere.
    pub fn clear(&self) {
        self.next.store(1, Relaxed);
    }

    fn set_links(&self, record: Record, released: Knowledge, next: Record) {
        let links = u64::from(released) | u64::from(next) << 32;
        self.slots[record as usize].links.store(links, Relaxed);
    }

    fn next(&self, record: Record) -> Record {
        (self.slots[record as usize].links.load(Relaxed) >> 32) as Record
    }

    /// A new record, empty.
    pub fn take(&self, free: &mut Free) -> Result<Record, Exhausted> {
        let record = if free.list == 0 {
            if free.next == free.end {
                let chunk = self.next.fetch_add(1, Relaxed);
                free.next = chunk.checked_mul(CHUNK).ok_or(Exhausted)?;
                free.end = free.next.checked_add(CHUNK).ok_or(Exhausted)?;
                self.slots.get(free.end as usize - 1).ok_or(Exhausted)?;
            }
            free.next += 1;
            free.next - 1
        } else {
            let record = free.list;
            free.list = self.next(record);
            record
        };
        self.set_links(record, 0, 0);
        let slot = &self.slots[record as usize];
        slot.value.store(0, Relaxed);
        slot.entries[0].store(0, Relaxed);
        Ok(record)
    }

    /// Gives a record back.
    pub fn give_back(&self, record: Record, free: &mut Free) {
        let mut last = record;
        while self.next(last) != 0 {
            last = self.next(last);
        }
        self.set_links(last, 0, free.list);
        free.list = record;
    }

    /// What was released at the word.
    pub fn released(&self, record: Record) -> Knowledge {
        self.slots[record as usize].links.load(Relaxed) as Knowledge
    }

    /// Sets what acquires of the word learn.
    pub fn set_released(&self, record: Record, released: Knowledge) {
        self.set_links(record, released, self.next(record));
    }

    /// What is at the word, as far as it was seen.
    pub fn value(&self, record: Record) -> u64 {
        self.slots[record as usize].value.load(Relaxed)
    }

    /// An atomic operation was seen.
    pub fn set_value(&self, record: Record, value: u64) {
        self.slots[record as usize].value.store(value, Relaxed);
    }

    /// The accesses of a record.
    pub fn load(&self, record: Record, entries: &mut Entries) {
        let mut slot = record;
        while slot != 0 {
            for word in &self.slots[slot as usize].entries {
                let entry = Entry::unpack(word.load(Relaxed));
                if entry.bytes == 0 {
                    return;
                }
                entries.push(entry);
            }
            slot = self.next(slot);
        }
    }

    /// Replaces the accesses of a record.
    pub fn store(
        &self,
        record: Record,
        entries: &Entries,
        free: &mut Free,
    ) -> Result<(), Exhausted> {
        let mut slot = record;
        let mut rest = entries.iter();
        loop {
            for word in &self.slots[slot as usize].entries {
                word.store(rest.next().map_or(0, |entry| entry.pack()), Relaxed);
            }
            let mut next = self.next(slot);
            if rest.len() == 0 {
                if next != 0 {
                    self.slots[next as usize].entries[0].store(0, Relaxed);
                }
                return Ok(());
            }
            if next == 0 {
                next = self.take(free)?;
                let released = self.released(slot);
                self.set_links(slot, released, next);
            }
            slot = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kind::Kind;

    use super::{Entries, Entry, Free, Records, Slot};

    #[test]
    fn a_record_keeps_what_was_stored_last() {
        let records = Records::new((0..1000).map(|_| Slot::default()).collect::<Vec<_>>().leak());
        let mut free = Free::default();
        let record = records.take(&mut free).unwrap();
        records.set_released(record, 77);
        for len in [3, 6, 7, 48, 5, 12, 0] {
            let mut entries = Entries::with_room();
            for index in 0..len {
                let kind = [Kind::Write, Kind::Max, Kind::Read][index % 3];
                let inexact = index % 2 == 0;
                entries.push(Entry {
                    id: index as u32 * 9,
                    bytes: 1 << (index % 8),
                    kind,
                    inexact,
                });
            }
            records.store(record, &entries, &mut free).unwrap();
            let mut loaded = Entries::with_room();
            records.load(record, &mut loaded);
            assert_eq!(*loaded, *entries);
            assert_eq!(records.released(record), 77);
        }
        let before = records.first_free();
        for _ in 0..1000 {
            let record = records.take(&mut free).unwrap();
            records.give_back(record, &mut free);
        }
        assert_eq!(records.first_free(), before, "records are used again");
        assert!((0..1000).any(|_| records.take(&mut free).is_err()), "there is no room left");
    }
}
