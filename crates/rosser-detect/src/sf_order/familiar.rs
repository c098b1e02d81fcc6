//! What a worker remembers of words with a record, to know at a glance that an access of its own tells
//! nothing new: tables and bounds that all tasks read, on all workers at the same time.
//!
//! The cell tells when its word was last changed, by the id of who did it. As long as that is the same,
//! nobody has written, freed or reused the word.

use crate::sf_order::cell::{CROWD, Cell, Contents, RECORD};
use crate::sf_order::log::Id;
use crate::sf_order::worker::Worker;

/// A read of a word that many read, and nobody writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crowd {
    /// Where the word's cell is; 0 if there is none.
    cell: usize,
    changed: Id,
    /// What the read, and others of its step, have read.
    bytes: u8,
    id: Id,
}

/// A relaxed atomic load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    /// Where the word's cell is; 0 if there is none.
    cell: usize,
    changed: Id,
    bytes: u8,
    id: Id,
    /// The value that was loaded.
    value: u64,
}

/// The words that a worker remembers; another may be in the place of one.
#[derive(Debug)]
pub(crate) struct Familiar {
    crowds: [Crowd; Self::CROWDS],
    loads: [Load; Self::LOADS],
}

impl Default for Familiar {
    fn default() -> Self {
        Self { crowds: [Crowd::default(); Self::CROWDS], loads: [Load::default(); Self::LOADS] }
    }
}

impl Familiar {
    const CROWDS: usize = 256;
    const LOADS: usize = 16;

    fn crowd(&mut self, cell: usize) -> &mut Crowd {
        &mut self.crowds[cell / size_of::<Cell>() % Self::CROWDS]
    }

    fn load(&mut self, cell: usize) -> &mut Load {
        &mut self.loads[cell / size_of::<Cell>() % Self::LOADS]
    }
}

fn address_of(cell: &Cell) -> usize {
    std::ptr::from_ref(cell) as usize
}

impl Worker {
    /// True if a read by this worker stands in for another read of these bytes, of a word with a record. The record has
    /// nothing but reads, so the new one is in conflict with none. The earlier read may have been replaced by
    /// stand-ins; they stand in for the new one, too.
    #[inline]
    pub(crate) fn stands_in_crowd(&mut self, cell: &Cell, contents: Contents, bytes: u8) -> bool {
        let cell = address_of(cell);
        let crowd = *self.familiar.crowd(cell);
        contents.has(CROWD)
            && crowd.cell == cell
            && crowd.changed == contents.changed()
            && bytes & !crowd.bytes == 0
            && self.is_of_this_run(crowd.id)
            && !self.before(crowd.id).precedes()
    }

    /// Remembers a read of a word with a record.
    pub(crate) fn note_crowd(&mut self, cell: &Cell, contents: Contents, bytes: u8, id: Id) {
        if !contents.has(CROWD) {
            return;
        }
        let (cell, changed) = (address_of(cell), contents.changed());
        let known = *self.familiar.crowd(cell);
        let is_same = (known.cell, known.changed) == (cell, changed) && self.is_own(known.id);
        let bytes = if is_same { known.bytes | bytes } else { bytes };
        *self.familiar.crowd(cell) = Crowd { cell, changed, bytes, id };
    }

    /// Whether the present step has just loaded some bytes, and who has loaded them then if `value` is what
    /// is there now: the same load again tells nothing new.
    #[inline]
    pub fn loaded(&mut self, cell: &Cell, bytes: u8, value: impl FnOnce() -> u64) -> Option<Id> {
        let contents = cell.glance()?;
        let cell = address_of(cell);
        let load = *self.familiar.load(cell);
        let is_loaded = contents.has(RECORD)
            && (load.cell, load.changed, load.bytes) == (cell, contents.changed(), bytes)
            && self.is_own(load.id)
            && load.value == value();
        is_loaded.then_some(load.id)
    }

    /// Remembers a relaxed atomic load.
    pub(crate) fn note_load(
        &mut self,
        cell: &Cell,
        contents: Contents,
        bytes: u8,
        id: Id,
        value: u64,
    ) {
        let (cell, changed) = (address_of(cell), contents.changed());
        *self.familiar.load(cell) = Load { cell, changed, bytes, id, value };
    }
}
