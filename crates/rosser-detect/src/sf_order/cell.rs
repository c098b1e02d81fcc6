//! What is remembered of a word of memory, in 16 bytes.
//!
//! The last plain write and two plain reads: of all that have been made since, the last one in English
//! order and the last one in Hebrew order. If any of them is parallel with a later access, one of the two
//! is. A word of which more has to be known has a record ([`crate::sf_order::records`]).
//!
//! ```text
//! head:  writer or record (32)  written bytes (8)  read bytes (8)  flags (8)
//! reads: English (32)           Hebrew (32)
//! ```
//!
//! With a record, the two are what the access path needs: the last plain access, whose bytes are the read
//! ones, and the last access that changed the word. The written bytes are those that its step has written
//! plainly, unless others have come since.
//!
//! Cells change only under the lock of their [`Block`], a bit of its first cell. The access path looks
//! without: ids of the present step are put into cells by the present step alone, so one that it finds there
//! is there.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::sf_order::log::Id;
use crate::sf_order::spin::pause;

/// Somebody is changing the cell.
const LOCKED: u64 = 1 << 48;
/// There is a record.
pub const RECORD: u8 = 2;
/// The word is not monitored.
pub const UNMONITORED: u8 = 4;
/// The last write was the end of a heap block.
pub const FREED: u8 = 8;
/// Not all bytes were written where the writer's id says.
pub const INEXACT: u8 = 16;
/// There is a record, and nothing in it but reads.
pub const CROWD: u8 = 32;

/// A cell. All zero: nobody has accessed the word.
#[derive(Debug, Default)]
#[repr(C, align(16))]
pub struct Cell {
    head: AtomicU64,
    reads: AtomicU64,
}

/// What a cell says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    head: u64,
    reads: u64,
}

impl Contents {
    /// Of a word that is not monitored.
    pub const UNMONITORED: Self =
        Self { head: 0xffff << 32 | (UNMONITORED as u64) << 48, reads: 0 };

    /// The last writer, or the record.
    #[inline]
    pub fn writer(self) -> u32 {
        self.head as u32
    }

    /// The bytes that it wrote.
    #[inline]
    pub fn written(self) -> u8 {
        (self.head >> 32) as u8
    }

    /// The bytes that were read.
    #[inline]
    pub fn read(self) -> u8 {
        (self.head >> 40) as u8
    }

    /// What else is known: [`RECORD`], [`FREED`] and the like.
    #[inline]
    pub fn flags(self) -> u8 {
        (self.head >> 48) as u8
    }

    /// Whether a flag is set.
    #[inline]
    pub fn has(self, flag: u8) -> bool {
        self.flags() & flag != 0
    }

    /// The last reader in English order; with a record, the last plain access.
    #[inline]
    pub fn english(self) -> Id {
        self.reads as u32
    }

    /// The last reader in Hebrew order.
    #[inline]
    pub fn hebrew(self) -> Id {
        (self.reads >> 32) as u32
    }

    /// With a record: the last access that changed the word, or the one that the record was made for.
    #[inline]
    pub fn changed(self) -> Id {
        self.hebrew()
    }

    /// The same with a flag set.
    #[inline]
    #[must_use]
    pub fn with(self, flag: u8) -> Self {
        Self { head: self.head | u64::from(flag) << 48, ..self }
    }

    /// With another writer, or a record, and flags that say about it.
    #[inline]
    #[must_use]
    pub fn written_by(self, writer: u32, bytes: u8, flags: u8) -> Self {
        let others = self.head & (0xff << 40);
        let writer = u64::from(writer) | u64::from(bytes) << 32 | u64::from(flags) << 48;
        Self { head: others | writer, ..self }
    }

    /// The same with other readers, of these bytes.
    #[inline]
    #[must_use]
    pub fn read_by(self, english: Id, hebrew: Id, bytes: u8) -> Self {
        Self {
            head: self.head & !(0xff << 40) | u64::from(bytes) << 40,
            reads: u64::from(english) | u64::from(hebrew) << 32,
        }
    }
}

/// The ids of the present step: a range.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    /// The first id of the range.
    pub base: Id,
    /// How many there may be.
    pub len: u32,
}

impl Own {
    /// The range that every id is in.
    pub const ALL: Self = Self { base: 0, len: u32::MAX };

    #[inline]
    fn has(self, id: Id) -> bool {
        id.wrapping_sub(self.base) < self.len
    }
}

impl Cell {
    /// Whether the present step has read or written these bytes, as far as can be seen at a glance.
    #[inline]
    pub fn was_accessed(&self, own: Own, bytes: u8) -> bool {
        // S2: ids of others are not looked up, so the reads need no order but that behind the head.
        let head = self.head.load(Acquire);
        let reads = self.reads.load(Relaxed);
        let is_read = bytes & !((head >> 40) as u8) == 0
            && (own.has(reads as u32)
                || own.has((reads >> 32) as u32) && head & u64::from(RECORD) << 48 == 0);
        is_read
            || bytes & !((head >> 32) as u8) == 0
                && own.has(head as u32)
                && head & u64::from(RECORD) << 48 == 0
    }

    /// Whether the present step has written these bytes, as far as can be seen at a glance.
    #[inline]
    pub fn was_written(&self, own: Own, bytes: u8) -> bool {
        // As above.
        let head = self.head.load(Acquire);
        let writer = if head & u64::from(RECORD) << 48 == 0 {
            head as u32
        } else {
            (self.reads.load(Relaxed) >> 32) as u32
        };
        bytes & !((head >> 32) as u8) == 0 && own.has(writer)
    }

    /// What it says now. Without the block's lock, only if the head is the same twice.
    #[inline]
    pub fn glance(&self) -> Option<Contents> {
        // Acquire: what the ids mean is there (P2). The second look comes after the load of the reads, and sees every
        // change that was over when they were stored (S3).
        let head = self.head.load(Acquire);
        let reads = self.reads.load(Acquire);
        (self.head.load(Relaxed) == head).then_some(Contents { head: head & !LOCKED, reads })
    }

    /// Whether nobody has accessed the word.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // Relaxed: for words whose accesses so far come before this one, or are in conflict with it, which is found
        // whichever is told first.
        self.head.load(Relaxed) & !LOCKED == 0 && self.reads.load(Relaxed) == 0
    }
}

/// How many cells have one lock.
pub const BLOCK: usize = 64;

/// Cells with a lock.
#[derive(Debug)]
#[repr(C, align(1024))]
pub struct Block([Cell; BLOCK]);

const _: () = assert!(size_of::<Block>() == align_of::<Block>());

impl Default for Block {
    fn default() -> Self {
        Self([const { Cell { head: AtomicU64::new(0), reads: AtomicU64::new(0) } }; BLOCK])
    }
}

/// A block whose lock is held.
#[derive(Debug)]
pub struct Locked<'a>(&'a Block);

impl Block {
    /// Takes the lock.
    #[inline]
    pub fn lock(&self) -> Locked<'_> {
        let head = &self.0[0].head;
        let mut tries = 0;
        // Acquire, with the release where the lock is given back: what the last holder has done is there (P2). To set a bit
        // that is set changes nothing. The first look, relaxed, only keeps the line from being fought for.
        while head.load(Relaxed) & LOCKED != 0 || head.fetch_or(LOCKED, Acquire) & LOCKED != 0 {
            pause(&mut tries);
        }
        Locked(self)
    }

    /// A cell, to look at without the lock.
    #[inline]
    pub fn cell(&self, index: usize) -> &Cell {
        &self.0[index % BLOCK]
    }
}

impl Locked<'_> {
    /// A cell of the block, to look at.
    #[inline]
    pub fn cell(&self, index: usize) -> &Cell {
        self.0.cell(index)
    }

    /// What a cell says.
    #[inline]
    pub fn get(&self, index: usize) -> Contents {
        let Cell { head, reads } = &self.0.0[index % BLOCK];
        // Relaxed: the lock is held.
        Contents { head: head.load(Relaxed) & !LOCKED, reads: reads.load(Relaxed) }
    }

    /// Changes what a cell says.
    #[inline]
    pub fn set(&mut self, index: usize, contents: Contents) {
        let index = index % BLOCK;
        let Cell { head, reads } = &self.0.0[index];
        // Release, both: whoever sees the ids without the lock finds what they mean; and whoever sees the head sees the
        // reads that belong to it, or later ones (S3).
        reads.store(contents.reads, Release);
        let lock = if index == 0 { LOCKED } else { 0 };
        head.store(contents.head | lock, Release);
    }
}

impl Drop for Locked<'_> {
    #[inline]
    fn drop(&mut self) {
        let head = &self.0.0[0].head;
        // While the lock is held, others change nothing but the bit that is set.
        head.store(head.load(Relaxed) & !LOCKED, Release);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{BLOCK, Block, Contents, Own, RECORD};

    #[test]
    fn the_access_path_sees_what_the_present_step_has_done() {
        let own = Own { base: 100, len: 10 };
        for index in [0, 7] {
            let block = Block::default();
            let cell = block.cell(index);
            let nothing = Contents::default();
            block.lock().set(index, nothing.written_by(105, 0x0f, 0));
            assert!(cell.was_written(own, 0x0f) && cell.was_accessed(own, 0x03));
            assert!(!cell.was_written(own, 0x10) && !cell.was_accessed(own, 0xff));
            let reads = nothing.read_by(7, 109, 0xff);
            block.lock().set(index, reads);
            assert!(cell.was_accessed(own, 0xff) && !cell.was_written(own, 1));
            let record = reads.written_by(105, 0xff, RECORD);
            block.lock().set(index, record);
            assert!(cell.was_written(own, 0xff) && !cell.was_accessed(own, 0xff));
            assert!(!cell.was_written(Own { base: 110, len: 10 }, 1));
            assert_eq!(block.lock().get(index), record);
            assert_eq!(cell.glance(), Some(record));
            let parts = (record.writer(), record.written(), record.read(), record.flags());
            assert_eq!(parts, (105, 0xff, 0xff, RECORD));
            assert_eq!((record.english(), record.hebrew()), (7, 109));
        }
    }

    #[test]
    fn words_that_are_not_monitored_look_accessed_to_whoever_owns_everything() {
        let block = Block::default();
        block.lock().set(0, Contents::UNMONITORED);
        let cell = block.cell(0);
        assert!(cell.was_written(Own::ALL, 0xff) && cell.was_accessed(Own::ALL, 0xff));
    }

    #[test]
    fn the_lock_excludes_others() {
        let block = Block::default();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut locked = block.lock();
                        let next = locked.get(0).writer() + 1;
                        for index in 0..BLOCK {
                            locked.set(index, Contents::default().written_by(next, 1, 0));
                        }
                    }
                });
            }
        });
        let locked = block.lock();
        assert!((0..BLOCK).all(|index| locked.get(index).writer() == 40_000));
    }
}
