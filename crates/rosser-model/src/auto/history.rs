//! The access history of one location.
//!
//! ```text
//! Cell, 20 bytes:  writer step | writer site | reader step | reader site | extra
//! ```
//!
//! The last plain write and the newest plain read are in the cell itself. Further readers that are
//! parallel with it, and atomic accesses, are in an [`Extra`] that few locations have.

use rosser_detect::{Access, SiteId, StepId};

/// A remembered access: the step that made it, and where. Or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) step: StepId,
    pub(super) site: SiteId,
}

impl Record {
    pub(super) const NONE: Self = Self { step: StepId(u32::MAX), site: SiteId(0) };

    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.step != Self::NONE.step
    }
}

/// No extra.
const PLAIN: u32 = u32::MAX;
/// A data race was reported and each location is to be reported once: nothing more to find.
const SETTLED: u32 = u32::MAX - 1;

/// The part of a location's history that every location has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) writer: Record,
    pub(super) reader: Record,
    extra: u32,
}

const _: () = assert!(size_of::<Cell>() == 20);

impl Cell {
    pub(super) const NEW: Self = Self { writer: Record::NONE, reader: Record::NONE, extra: PLAIN };

    /// Whether an access by the given step can neither be a new race nor matter to a later one:
    /// the step has written the location already, or reads it again.
    #[inline]
    pub(super) fn is_settled_for(&self, step: StepId, access: Access) -> bool {
        (self.writer.step == step && (!access.is_atomic()))
            || (access == Access::Read && self.reader.step == step)
            || self.extra == SETTLED
    }

    pub(super) fn settle(&mut self) {
        self.extra = SETTLED;
    }

    #[inline]
    pub(super) fn extra(&self) -> Option<usize> {
        (self.extra < SETTLED).then_some(self.extra as usize)
    }

    /// Gives the cell an extra, unless there is nothing more to find at it.
    pub(super) fn set_extra(&mut self, index: usize) {
        if self.extra != SETTLED {
            self.extra = u32::try_from(index).expect("fewer extras than locations");
        }
    }
}

/// What few locations need.
#[derive(Debug, Default)]
pub(super) struct Extra {
    /// Readers other than the newest.
    pub(super) readers: Accessors,
    /// Atomic accessors; few of the few.
    pub(super) atomics: Option<Box<Atomics>>,
}

const _: () = assert!(size_of::<Extra>() == 48);

/// Atomic accessors of a location, by kind of access. Two kinds at most, in nearly every program.
#[derive(Debug, Default)]
pub(super) struct Atomics {
    pub(super) kinds: Vec<(Access, Accessors)>,
}

impl Extra {
    /// A plain write came after everything here, or raced with it.
    pub(super) fn clear(&mut self) {
        self.readers.clear();
        if let Some(atomics) = &mut self.atomics {
            atomics.kinds.clear();
        }
    }

    /// Takes out the accessors of one kind, to be put back.
    pub(super) fn take_atomic(&mut self, access: Access) -> Accessors {
        let kinds = &mut self.atomics.get_or_insert_default().kinds;
        let found = kinds.iter_mut().find(|(kind, _)| *kind == access);
        found.map(|(_, accessors)| std::mem::take(accessors)).unwrap_or_default()
    }

    pub(super) fn put_atomic(&mut self, access: Access, accessors: Accessors) {
        let kinds = &mut self.atomics.get_or_insert_default().kinds;
        match kinds.iter_mut().find(|(kind, _)| *kind == access) {
            Some((_, place)) => *place = accessors,
            None => kinds.push((access, accessors)),
        }
    }

    /// How many accesses are remembered here.
    pub(super) fn kept(&self) -> usize {
        let atomics = self.atomics.iter().flat_map(|atomics| &atomics.kinds);
        self.readers.len() + atomics.map(|(_, accessors)| accessors.len()).sum::<usize>()
    }
}

/// Accesses of one kind, none of which need stand in for another. Kept an antichain lazily: when
/// the list has doubled, those that precede the current step or are older ones of the same task
/// are dropped, so that its size follows the number of tasks that are really parallel and adding
/// costs O(1) amortised.
#[derive(Debug)]
pub(super) struct Accessors {
    /// The oldest, without a detour through the heap: often there is no other.
    first: Record,
    /// The others, in the order in which they came. Empty if there is no first.
    rest: Vec<Record>,
    /// The size at which the list is next gone through.
    due: u32,
}

impl Default for Accessors {
    fn default() -> Self {
        Self { first: Record::NONE, rest: Vec::new(), due: 0 }
    }
}

impl Accessors {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Record> + '_ {
        let first = Some(self.first).filter(|first| first.is_some());
        first.into_iter().chain(self.rest.iter().copied())
    }

    fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }

    pub(super) fn newest(&self) -> Option<Record> {
        self.iter().next_back()
    }

    pub(super) fn replace_newest(&mut self, record: Record) {
        *self.rest.last_mut().unwrap_or(&mut self.first) = record;
    }

    pub(super) fn push(&mut self, record: Record) {
        if self.first.is_some() {
            self.rest.push(record);
        } else {
            self.first = record;
        }
    }

    pub(super) fn is_due(&self) -> bool {
        self.len() >= self.due.max(8) as usize
    }

    /// Keeps only what is wanted; `is_wanted` is asked about the newest first.
    pub(super) fn retain(&mut self, mut is_wanted: impl FnMut(StepId) -> bool) {
        let mut kept: Vec<Record> =
            self.iter().rev().filter(|record| is_wanted(record.step)).collect();
        kept.reverse();
        self.due = u32::try_from(2 * kept.len()).unwrap_or(u32::MAX);
        let mut kept = kept.into_iter();
        self.first = kept.next().unwrap_or(Record::NONE);
        self.rest.clear();
        self.rest.extend(kept);
    }

    fn clear(&mut self) {
        self.first = Record::NONE;
        self.rest.clear();
        self.due = 0;
    }
}
