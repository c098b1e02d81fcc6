//! The history of a word for which a cell is too small: any number of accesses, each with its
//! kind and bytes, and what was released here.

use crate::kind::Kind;
use crate::serial::cell::{ACCESSOR_INEXACT, Cell, FREED, THINNED, WRITER_INEXACT};
use crate::serial::log::Id;
use crate::serial::weak::Knowledge;
use crate::storage::{Exhausted, Pool, Slot};

/// One remembered access.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub id: Id,
    /// Which bytes of the word.
    pub mask: u8,
    /// What.
    pub kind: Kind,
    /// Whether some of the bytes were touched at a later site of the step.
    pub inexact: bool,
    /// Whether another access of its kind, parallel with it, was left out.
    pub thinned: bool,
}

const _: () = assert!(size_of::<Entry>() == 8);

const ENTRIES: usize = 6;

/// A record, or the continuation of one.
#[derive(Clone, Copy, Default, Debug)]
pub struct Record {
    entries: [Entry; ENTRIES],
    len: u32,
    next: u32,
    released: Knowledge,
    /// The accesses, while the order is general.
    crowd: u32,
}

const _: () = assert!(size_of::<Record>() <= 64);

impl Slot for Record {
    fn next_free(&self) -> u32 {
        self.next
    }

    fn set_next_free(&mut self, next: u32) {
        self.next = next;
    }
}

/// How many accesses to a word are remembered at most.
pub const CROWD: usize = 30;

/// The accesses of a record, taken out to be worked on.
#[derive(Clone, Copy, Debug)]
pub struct List<const N: usize> {
    list: [Entry; N],
    len: usize,
}

/// Any number of them, and room for one more than is kept.
pub type Entries = List<{ CROWD + 2 }>;
/// Those of a record that has no more than one part, and room for one more.
pub type Few = List<ENTRIES>;

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { list: [Entry::default(); N], len: 0 }
    }
}

impl<const N: usize> List<N> {
    /// Adds one. The caller keeps the number within what can be put back.
    pub fn push(&mut self, entry: Entry) {
        self.list[self.len] = entry;
        self.len += 1;
    }

    /// Removes one; the others keep their order.
    pub fn remove(&mut self, index: usize) {
        self.list.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }

    /// Drops those that stand for no byte any more.
    pub fn drop_empty(&mut self) {
        let mut kept = 0;
        for index in 0..self.len {
            let entry = self.list[index];
            self.list[kept] = entry;
            kept += usize::from(entry.mask != 0);
        }
        self.len = kept;
    }
}

impl<const N: usize> std::ops::Deref for List<N> {
    type Target = [Entry];
    fn deref(&self) -> &[Entry] {
        &self.list[..self.len]
    }
}

impl<const N: usize> std::ops::DerefMut for List<N> {
    fn deref_mut(&mut self) -> &mut [Entry] {
        &mut self.list[..self.len]
    }
}

impl Few {
    /// The cell that says the same, if there is one: with the newest write as its writer, the
    /// newest read as its accessor, and at most one other of either kind.
    pub fn as_cell(&self) -> Option<Cell> {
        const ROOM: usize = 3;
        if self.len > ROOM {
            return None;
        }
        let (mut writes, mut reads) = ([None; 2], [None; 2]);
        for entry in self.iter().rev() {
            let list = match entry.kind {
                Kind::Write | Kind::Free => &mut writes,
                Kind::Read => &mut reads,
                _ => return None,
            };
            *list.iter_mut().find(|slot| slot.is_none())? = Some(*entry);
        }
        let (last, other) = match (writes, reads) {
            ([last, None], [_, other]) | ([last, other @ Some(_)], [_, None]) => {
                (last.unwrap_or_default(), other)
            }
            _ => return None,
        };
        if other.is_some_and(|other| other.kind == Kind::Free) {
            return None;
        }
        let mut cell = Cell::default();
        cell.set_writer(last.id, last.mask);
        cell.set_accessor(last.id, last.mask);
        cell.flags |= if last.inexact { WRITER_INEXACT | ACCESSOR_INEXACT } else { 0 };
        cell.flags |= if last.kind == Kind::Free { FREED } else { 0 };
        if let Some(reader) = reads[0] {
            cell.set_accessor(reader.id, reader.mask);
            cell.flags |= if reader.inexact { ACCESSOR_INEXACT } else { 0 };
        }
        if let Some(other) = other {
            cell.set_other(other.id, other.mask, other.kind == Kind::Write);
        }
        let thinned = [reads[0], other].into_iter().flatten().any(|entry| entry.thinned);
        cell.flags |= if thinned { THINNED } else { 0 };
        Some(cell)
    }
}

/// All records of a region.
#[derive(Debug)]
pub struct Records {
    pool: Pool<Record>,
}

impl Records {
    /// None yet.
    pub fn new(slots: &'static mut [Record]) -> Self {
        Self { pool: Pool::new(slots) }
    }

    /// Forgets all. Cells that name one must not be used before they are overwritten.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// Whether there was none since they were last forgotten.
    pub fn is_empty(&self) -> bool {
        self.pool.high_water() <= 1
    }

    /// Takes an empty record.
    pub fn take(&mut self) -> Result<u32, Exhausted> {
        self.pool.take(Record::default())
    }

    /// Gives a record back.
    pub fn give_back(&mut self, record: u32) {
        let mut at = record;
        while at != 0 {
            let next = self.pool[at].next;
            self.pool.give_back(at);
            at = next;
        }
    }

    /// Goes through the accesses.
    pub fn each_entry(&mut self, record: u32, mut each: impl FnMut(&mut Entry)) {
        let mut at = record;
        while at != 0 {
            let part = &mut self.pool[at];
            for entry in &mut part.entries[..part.len as usize] {
                each(entry);
            }
            at = part.next;
        }
    }

    /// What was released at this word.
    pub fn released(&self, record: u32) -> Knowledge {
        self.pool[record].released
    }

    /// Remembers what was released at this word.
    pub fn set_released(&mut self, record: u32, knowledge: Knowledge) {
        self.pool[record].released = knowledge;
    }

    /// Where the accesses are if all of them are kept; see [`crate::serial::crowds`].
    pub fn crowd(&self, record: u32) -> u32 {
        self.pool[record].crowd
    }

    /// Remembers where the accesses are if all of them are kept.
    pub fn set_crowd(&mut self, record: u32, crowd: u32) {
        self.pool[record].crowd = crowd;
    }

    /// The accesses, if they are few.
    #[inline]
    pub fn few(&self, record: u32) -> Option<Few> {
        let part = &self.pool[record];
        let len = part.len as usize;
        (part.next == 0 && part.crowd == 0 && len < ENTRIES)
            .then_some(List { list: part.entries, len })
    }

    /// Replaces the accesses. Returns what was released at this word.
    #[inline]
    pub fn set_few(&mut self, record: u32, few: &Few) -> Knowledge {
        let part = &mut self.pool[record];
        part.entries = few.list;
        part.len = few.len as u32;
        part.released
    }

    /// The accesses, the oldest first.
    pub fn load(&self, record: u32, entries: &mut Entries) {
        entries.len = 0;
        let mut at = record;
        while at != 0 {
            let part = &self.pool[at];
            for entry in &part.entries[..part.len as usize] {
                entries.push(*entry);
            }
            at = part.next;
        }
    }

    /// Replaces the accesses.
    pub fn store(&mut self, record: u32, entries: &Entries) -> Result<(), Exhausted> {
        debug_assert!(entries.len <= CROWD);
        let mut at = record;
        let mut parts = entries.chunks(ENTRIES).peekable();
        loop {
            let part = parts.next().unwrap_or(&[]);
            let more = parts.peek().is_some();
            let mut next = self.pool[at].next;
            if more && next == 0 {
                next = self.pool.take(Record::default())?;
            } else if !more && next != 0 {
                self.give_back(next);
                next = 0;
            }
            let slot = &mut self.pool[at];
            slot.entries[..part.len()].copy_from_slice(part);
            slot.len = part.len() as u32;
            slot.next = next;
            if !more {
                return Ok(());
            }
            at = next;
        }
    }
}
