//! What the present step's accesses are compared with: a few thresholds.
//!
//! ```text
//!  0        settled      floor           parallel              base
//!  ├──────────┼────────────┼────────┬───────────────┬───────────┼──────►
//!  │ precedes │  precedes  │ either │ all parallel  │ precedes  │ own
//!  │ for good │  this step │        │               │           │
//! ```
//!
//! The ids between floor and base are spans, or runs of steps in any order; the topmost parallel span
//! has a range of its own, and so have the last spans or runs found to be parallel, and to precede.

use crate::serial::log::Id;

/// How many spans are remembered besides the topmost one.
pub const ALSO: usize = 4;

/// Some ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Range {
    /// The first.
    pub from: Id,
    /// The one after the last.
    pub to: Id,
}

impl Range {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn contains(self, id: Id) -> bool {
        id >= self.from && id < self.to
    }
}

/// The ranges, as they are at the present step, and what else its accesses depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Present {
    /// Ids below this one precede everything that is still to come, not just the current step:
    /// they belong to the main task, from before every task that runs or is not joined yet.
    pub settled: Id,
    /// Ids below this one precede the current step.
    pub floor: Id,
    /// Ids from here to `serial` are parallel with the current step.
    pub parallel: Id,
    /// Ids from here on precede the current step or are its own.
    pub serial: Id,
    /// Other spans that are parallel with the current step, which have been asked for lately. They
    /// stay so until a task or scope ends that they are part of.
    pub also_parallel: [Range; ALSO],
    /// Another span that precedes the current step: likewise.
    pub earlier: Range,
    /// Ids from here to `serial` are of one parallel span: every later step is parallel with all of them or with none,
    /// and nothing but that tells them apart. More than any id if there is no such span, or if releases may.
    pub alike: Id,
    /// Ids from here on are the current step's own.
    pub base: Id,
    /// If this is the next id, the engine has to do something before the current step may get it.
    pub unprepared: Id,
    /// The id of what the current step does to memory that no other can reach, if not below `base`.
    pub private: Id,
    /// Not 0 if a third parallel reader of a word is not as good as the first two: because order by
    /// locks matters, because tasks join scopes further out, or because execution is not
    /// depth-first.
    pub every_reader: u32,
    /// So many reads of the current step may still be left to others that stand in for it; none if every
    /// reader counts. A step that reads more is long, and better finds itself in the words that it reads
    /// again and again.
    pub may_be_left: u32,
}

impl Present {
    /// Of how many of its reads each step asks whether they can be left to others.
    pub(crate) const MAY_BE_LEFT: u32 = 128;

    /// Whether any access of the first is as good as one of the second for all that is to come.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn are_alike(&self, first: Id, second: Id) -> bool {
        first >= self.alike && second >= self.alike && first < self.serial && second < self.serial
    }

    /// Remembers whether the ids of a span or a run are parallel with the current step.
    #[inline]
    pub(crate) fn remember(&mut self, from: Id, to: Id, parallel: bool) {
        let range = Range { from, to: to.min(self.base) };
        if parallel {
            self.also_parallel.rotate_right(1);
            self.also_parallel[0] = range;
        } else {
            self.earlier = range;
        }
    }

    /// Whether the access surely precedes the current step or is its own.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn precedes(&self, id: Id) -> bool {
        id < self.floor || id >= self.serial || self.earlier.contains(id)
    }

    /// Whether the access is surely parallel with the current step.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn is_parallel(&self, id: Id) -> bool {
        (id >= self.parallel && id < self.serial)
            || self.also_parallel.iter().any(|range| range.contains(id))
    }
}
