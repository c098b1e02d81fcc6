//! What judges accesses: the histories of words, and everything that is needed to compare the present access with
//! them.
//!
//! ```text
//!  Judge
//!    numbering  what an id stands for
//!    strong     who precedes the present step in every schedule
//!    weak       what the present step has acquired
//!    records, crowds, readers      the histories that do not fit into cells
//!    conflicts  what the present access is in conflict with
//! ```
//!
//! It knows no tasks. To it an access is an id, and the log says no more of it than whether another was made at the
//! same place. The rules are in [`crate::serial::history`]; what
//! they say of words with many accesses, in [`crate::serial::readers`] and [`crate::serial::crowds`]; and what is
//! seen at a glance, in [`crate::serial::quick`].

use crate::serial::acquired::Acquired;
use crate::serial::conflicts::{Conflict, Conflicts};
use crate::serial::crowds::Crowds;
use crate::serial::log::Id;
use crate::serial::numbering::Numbering;
use crate::serial::readers::Readers;
use crate::serial::records::Records;
use crate::serial::strong::Strong;
use crate::serial::weak::Hop;

/// What judges accesses.
#[derive(Debug)]
pub struct Judge {
    /// The ids, and what they stand for.
    pub numbering: Numbering,
    /// Who precedes the present step.
    pub strong: Strong,
    /// What the present step has acquired.
    pub weak: Acquired,
    pub(crate) records: Records,
    pub(crate) crowds: Crowds,
    /// The readers of words with many of them.
    pub readers: Readers,
    pub(crate) conflicts: Conflicts,
    pub(crate) counts: AccessCounts,
    /// Changes if an atomic load that the present step has made before may have to be looked at again,
    /// though its word has a record: when something is updated atomically, when a record is made, which
    /// may be for a word that was forgotten, and when ids have new numbers.
    pub changes: u64,
}

/// What was counted of accesses.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct AccessCounts {
    /// Accesses looked at beyond the first comparison.
    pub(crate) accesses: u64,
    /// Conflicts between updates that commute.
    pub(crate) commuting: u64,
    /// Words where an access had to be forgotten.
    pub(crate) crowded: u64,
}

impl Judge {
    pub(crate) fn new(
        numbering: Numbering,
        strong: Strong,
        weak: Acquired,
        records: Records,
        crowds: Crowds,
        readers: Readers,
    ) -> Self {
        Self {
            numbering,
            strong,
            weak,
            records,
            crowds,
            readers,
            conflicts: Conflicts::new(),
            counts: AccessCounts::default(),
            changes: 0,
        }
    }

    /// Forgets the histories of all words and all order, at the end of a region. No cell that names a history may
    /// be asked for it any more.
    pub(crate) fn clear(&mut self) {
        self.strong.clear();
        self.weak.clear();
        self.records.clear();
        self.crowds.clear();
        self.readers.clear();
    }

    /// The conflicts of the last access.
    #[inline]
    pub fn conflicts(&self) -> &[Conflict] {
        self.conflicts.all()
    }

    /// Another detector has looked at the present access and says what it is in conflict with. Returns
    /// how many of the conflicts there was room for.
    pub fn judged_elsewhere(&mut self, conflicts: &[Conflict]) -> usize {
        self.conflicts.replace(conflicts)
    }

    /// An access was made that another detector looks at.
    pub fn count_access(&mut self) {
        self.counts.accesses += 1;
    }

    #[inline]
    pub(crate) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// Whether there may be cells with a record.
    pub fn has_records(&self) -> bool {
        !self.records.is_empty()
    }

    /// Whether one access is as good as the other for all that is to come, and was made at the same place. Both are
    /// parallel with the present step.
    #[inline]
    pub(crate) fn may_stand_for(&self, one: Id, other: Id) -> bool {
        self.strong.present.are_alike(one, other) && self.numbering.log.are_at_one_place(one, other)
    }

    /// What has ordered an access before the present step in this run, if anything has.
    #[inline]
    pub(crate) fn hop_to(&mut self, id: Id) -> Option<Hop> {
        self.weak.graph.knows(self.weak.known, &mut self.strong.order, id)
    }

    /// Brings up to date what depends on what is parallel or was acquired, in depth-first order.
    #[inline]
    pub(crate) fn update_every_reader(&mut self) {
        self.strong.set_every_reader(self.weak.known != 0);
    }
}
