//! The access history of one 8-byte word, in 16 bytes.
//!
//! ```text
//! 0        4        8        12   13   14   15   16
//! ┌────────┬────────┬────────┬────┬────┬────┬────┐
//! │ writer │accessor│ other  │ wm │ am │ om │flag│
//! └────────┴────────┴────────┴────┴────┴────┴────┘
//! ```
//!
//! Three ids with a mask of the bytes each stands for: the last writer; the last accessor, which is
//! the writer itself or the newest reader that was not left to others; and another, which is an
//! older reader that is parallel with the newest, or an older access to other bytes, or stands for
//! several older readers, which are then in a [list](crate::serial::readers). The writer and the accessor are
//! where the access path looks, with one comparison each: *is the id of the present step, and are the
//! bytes among its own?* Whatever does not fit (atomic accesses, many parts of a word) is in a
//! [record](crate::serial::records), and the cell then only names that.
//!
//! A cell of zeros is a word that nobody has touched: id 0 precedes everything.

use crate::kind::Kind;
use crate::serial::log::Id;

/// One cell.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Cell {
    /// The last writer of the bytes in `writer_mask`.
    pub writer: Id,
    /// The last accessor of the bytes in `accessor_mask`.
    pub accessor: Id,
    /// Another access; or, of a cell with a record or a list of readers, its index.
    pub other: u32,
    /// Bytes of the word, one bit each.
    pub writer_mask: u8,
    /// Bytes of the word, one bit each.
    pub accessor_mask: u8,
    /// Bytes of the word, one bit each.
    pub other_mask: u8,
    /// A combination of the constants below.
    pub flags: u8,
}

const _: () = assert!(size_of::<Cell>() == 16);

/// The history is in a record.
pub const RECORD: u8 = 1;
/// `other` is a writer, not a reader.
pub const OTHER_WRITES: u8 = 2;
/// The writer wrote some of its bytes at a later site of its step.
pub const WRITER_INEXACT: u8 = 4;
/// The accessor touched some of its bytes at a later site of its step.
pub const ACCESSOR_INEXACT: u8 = 8;
/// A reader parallel with the accessor was left out; it need not be ordered by what orders that.
pub const THINNED: u8 = 32;
/// The last writer freed the block.
pub const FREED: u8 = 16;
/// `other` is a list of readers that have all read the bytes in `other_mask`. No id in it is larger
/// than that of the accessor: if that is settled, the list must not be looked at.
pub const MANY: u8 = 64;

impl Cell {
    /// A cell that every access takes for its own: nothing is checked.
    pub const UNMONITORED: Self = Self {
        writer: Id::MAX,
        accessor: Id::MAX,
        other: 0,
        writer_mask: 0xff,
        accessor_mask: 0xff,
        other_mask: 0,
        flags: 0,
    };

    /// A cell of which nothing is known but that these bytes were written.
    #[inline]
    pub fn written(id: Id, bytes: u8) -> Self {
        Self {
            writer: id,
            accessor: id,
            writer_mask: bytes,
            accessor_mask: bytes,
            ..Self::default()
        }
    }

    /// Whether the step whose ids begin at `base` has read or written all these bytes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub fn has_accessed(&self, base: Id, bytes: u8) -> bool {
        self.accessor >= base && self.accessor_mask & bytes == bytes
    }

    /// Whether the step whose ids begin at `base` has written all these bytes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub fn has_written(&self, base: Id, bytes: u8) -> bool {
        self.writer >= base && self.writer_mask & bytes == bytes
    }

    /// Whether the accessor has written all that it has accessed.
    #[inline]
    pub(crate) fn accessor_is_writer(&self) -> bool {
        self.accessor == self.writer && self.accessor_mask & !self.writer_mask == 0
    }

    /// The bytes that a reader has written as well, in the same step: to keep the write is enough.
    ///
    /// A write takes its bytes from all earlier reads of the word but those of its own step. So if both a
    /// read and a later write stand for a byte, they belong to the same step; or they came together from
    /// a record, and a data race was reported at that byte.
    #[inline]
    fn written_by(&self, reader: Id) -> u8 {
        let by_writer = if reader <= self.writer { self.writer_mask } else { 0 };
        let other_is_later = self.flags & OTHER_WRITES != 0 && reader <= self.other;
        by_writer | if other_is_later { self.other_mask } else { 0 }
    }

    /// Of the accessor, see [`Self::written_by`].
    #[inline]
    pub(crate) fn written_by_accessor(&self) -> u8 {
        self.written_by(self.accessor)
    }

    /// Of the other, if it is a reader; see [`Self::written_by`].
    #[inline]
    pub(crate) fn written_by_other(&self) -> u8 {
        if self.flags & (OTHER_WRITES | MANY) == 0 { self.written_by(self.other) } else { 0 }
    }

    /// The present step writes these bytes, and has written none before.
    #[inline]
    pub(crate) fn set_writer(&mut self, id: Id, bytes: u8) {
        self.writer = id;
        self.writer_mask = bytes;
        self.flags &= !WRITER_INEXACT;
    }

    /// The present step, which has written other bytes, writes these.
    #[inline]
    pub(crate) fn extend_writer(&mut self, id: Id, bytes: u8) {
        if self.writer != id && bytes & !self.writer_mask != 0 {
            self.flags |= WRITER_INEXACT;
        }
        self.writer_mask |= bytes;
    }

    /// A write was noted: it may have been the end of the block.
    #[inline]
    pub fn note_end(&mut self, kind: Kind) {
        if kind == Kind::Free {
            self.flags |= FREED;
        }
    }

    /// The present step accesses these bytes, and has accessed none before.
    #[inline]
    pub(crate) fn set_accessor(&mut self, id: Id, bytes: u8) {
        self.accessor = id;
        self.accessor_mask = bytes;
        self.flags &= !ACCESSOR_INEXACT;
    }

    /// The present step, which has accessed other bytes, accesses these.
    #[inline]
    pub(crate) fn extend_accessor(&mut self, id: Id, bytes: u8) {
        if self.accessor != id && bytes & !self.accessor_mask != 0 {
            self.flags |= ACCESSOR_INEXACT;
        }
        self.accessor_mask |= bytes;
    }

    /// Another access to these bytes is remembered.
    #[inline]
    pub(crate) fn set_other(&mut self, id: Id, bytes: u8, writes: bool) {
        self.other = id;
        self.other_mask = bytes;
        self.flags &= !(THINNED | OTHER_WRITES | MANY);
        if writes {
            self.flags |= OTHER_WRITES;
        }
    }

    /// Forgets the history of some bytes. There is no record.
    pub(crate) fn forget_bytes(&mut self, bytes: u8) {
        self.writer_mask &= !bytes;
        self.accessor_mask &= !bytes;
        self.other_mask &= !bytes;
        if self.writer_mask | self.accessor_mask | self.other_mask == 0 {
            *self = Self::default();
        } else if self.writer_mask == 0 {
            self.flags &= !FREED;
        }
    }

    /// Whether the history is in a record.
    #[inline]
    pub fn record(&self) -> Option<u32> {
        (self.flags & RECORD != 0).then_some(self.other)
    }
}
