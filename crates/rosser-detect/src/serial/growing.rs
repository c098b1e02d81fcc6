//! What a detector outside checked programs asks of the engine: exact answers about any two accesses, and
//! memory that grows.
//!
//! `auto` of the model language keeps accesses of its own and asks the engine for their order only. A checked
//! program uses nothing of this file: there memory is provided once, and no search may take arbitrarily long.

use crate::serial::engine::Engine;
use crate::serial::judge::Judge;
use crate::serial::log::{Id, Site};
use crate::serial::weak::{Knowledge, Via};
use crate::storage::Exhausted;

/// More than one event, and one access, can need of anything but what [`Engine::reserve`] counts.
pub(crate) const ROOM: usize = 64;

/// Where everything is released and acquired: nobody asks.
const SOMEWHERE: Site = 1;

impl Engine {
    /// Makes room for the next event or access. What it replaces is never freed. `may_convert` says whether
    /// the event can end depth-first order: a set, or a switch to a task that is not current.
    pub fn reserve(&mut self, may_convert: bool) {
        let Self { running, judge, .. } = self;
        let order = &mut judge.strong.order;
        judge.numbering.log.reserve(ROOM + running.unlogged);
        running.frames.reserve(ROOM);
        running.scopes.reserve(ROOM);
        order.spans.reserve(ROOM);
        judge.weak.graph.reserve(ROOM);
        if order.is_general() {
            order.general.reserve(ROOM);
        } else if may_convert {
            // No more than three steps for each of these.
            let kept = running.frames.len() + running.scopes.len() + order.spans.depth();
            order.general.reserve(ROOM + 3 * kept as usize);
        }
    }

    /// What the current task gives to whoever takes it.
    pub fn give(&mut self) -> Result<Knowledge, Exhausted> {
        self.release(SOMEWHERE, Via::ReleaseAcquire)
    }

    /// The current task takes what another, or itself, gave in this region.
    pub fn take(&mut self, given: Knowledge) -> Result<(), Exhausted> {
        self.acquire(given, SOMEWHERE, Via::ReleaseAcquire)
    }
}

impl Judge {
    /// Whether an access of an earlier step, or of the current one, precedes what follows in every schedule.
    #[inline]
    pub fn precedes(&mut self, id: Id) -> bool {
        !self.strong.is_parallel(id)
    }

    /// As [`Self::precedes`], but may miss an order that only a long search would find.
    #[inline]
    pub fn precedes_plainly(&mut self, id: Id) -> bool {
        !self.strong.seems_parallel(id)
    }

    /// Whether an access precedes what follows at least in this run.
    pub fn precedes_weakly(&mut self, id: Id) -> bool {
        self.weak.graph.knows_exactly(self.weak.known, &mut self.strong.order, id)
    }

    /// Whether of two parallel accesses of one kind the earlier is as good as both.
    pub fn first_stands_for_all(&self) -> bool {
        self.may_thin()
    }
}
