//! The conflicts of the present access.

use crate::kind::Kind;
use crate::serial::log::Id;
use crate::serial::records::CROWD;
use crate::serial::weak::Hop;

/// Two conflicting accesses of logically parallel steps. The second is the present one.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The earlier access.
    pub first: Id,
    /// What it did.
    pub first_kind: Kind,
    /// False if it was made at its site or at a later one of its step.
    pub exact: bool,
    /// What the present access does.
    pub second_kind: Kind,
    /// The bytes of the word that are in conflict.
    pub bytes: u8,
    /// What ordered the two in this run, if anything did.
    pub hop: Option<Hop>,
}

impl Conflict {
    /// Whether nothing excludes the two: a plain access is involved and no order was seen.
    pub fn is_data_race(&self) -> bool {
        self.hop.is_none() && !(self.first_kind.is_atomic() && self.second_kind.is_atomic())
    }
}

/// How many conflicts one access can have at most: one for each remembered access.
const ROOM: usize = CROWD + 2;

/// The conflicts of the present access.
#[derive(Debug)]
pub(crate) struct Conflicts {
    list: [Conflict; ROOM],
    len: usize,
}

impl Conflicts {
    pub(crate) fn new() -> Self {
        Self { list: [Conflict::default(); ROOM], len: 0 }
    }

    /// Another access begins.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// All of them.
    #[inline]
    pub(crate) fn all(&self) -> &[Conflict] {
        &self.list[..self.len]
    }

    /// Puts a conflict in the place of another.
    pub(crate) fn set(&mut self, index: usize, conflict: Conflict) {
        self.list[index] = conflict;
    }

    /// Keeps only so many.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The access is in these conflicts and no others. Returns how many of them there was room for.
    pub(crate) fn replace(&mut self, conflicts: &[Conflict]) -> usize {
        let count = conflicts.len().min(self.list.len());
        self.list[..count].copy_from_slice(&conflicts[..count]);
        self.len = count;
        count
    }

    /// Adds one.
    pub(crate) fn push(&mut self, conflict: Conflict) {
        if self.len < self.list.len() {
            self.list[self.len] = conflict;
            self.len += 1;
        } else {
            self.push_beyond_room(conflict);
        }
    }

    /// A crowd can be in conflict with an access more often than there is room for. Then every byte keeps a
    /// conflict of the worst class, which takes no more than one for each.
    #[cold]
    #[inline(never)]
    fn push_beyond_room(&mut self, conflict: Conflict) {
        let is_needed = |conflict: &Conflict, others: &mut dyn Iterator<Item = &Conflict>| {
            let as_bad = others.filter(|other| other.is_data_race() || !conflict.is_data_race());
            conflict.bytes & !as_bad.fold(0, |bytes, other| bytes | other.bytes) != 0
        };
        if !is_needed(&conflict, &mut self.list.iter()) {
            return;
        }
        let unneeded = (0..self.list.len()).find(|index| {
            let others = self.list.iter().enumerate().filter(|(other, _)| other != index);
            !is_needed(&self.list[*index], &mut others.map(|(_, other)| other))
        });
        if let Some(index) = unneeded {
            self.list[index] = conflict;
        }
    }
}
