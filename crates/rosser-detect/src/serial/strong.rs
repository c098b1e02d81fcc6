//! Who precedes the present step in every schedule, as quickly as it can be said.
//!
//! ```text
//!  present (a few thresholds) ──► verdicts (answers about single ids) ──► order (the search)
//! ```
//!
//! The thresholds and the verdicts are caches of the order. Whatever changes the order, or begins a step, brings
//! them up to date or makes them void.

use crate::order::{GeneralStorage, Order, ScopeNumber, Span};
use crate::serial::log::Id;
use crate::serial::present::{Present, Range};
use crate::serial::verdicts::Verdicts;
use crate::storage::Exhausted;

/// Who precedes the present step.
#[derive(Debug)]
pub struct Strong {
    pub(crate) order: Order,
    /// What the access path compares with.
    pub present: Present,
    /// And where it looks if that does not decide.
    pub verdicts: Verdicts,
    /// The first id of the region: all ids below precede.
    pub(crate) region: Id,
    /// Whether a task of this region joins a scope further out than the innermost. Of parallel
    /// readers the first may then be joined before the others.
    pub(crate) joins_out: bool,
}

impl Strong {
    pub(crate) fn new(spans: &'static mut [Span], general: GeneralStorage) -> Self {
        Self {
            order: Order::new(spans, general),
            present: Present {
                settled: 1,
                floor: Id::MAX,
                parallel: 1,
                serial: 1,
                base: 1,
                unprepared: 1,
                alike: Id::MAX,
                ..Present::default()
            },
            verdicts: Verdicts::new(),
            region: 1,
            joins_out: false,
        }
    }

    /// Forgets everything: nothing has been done yet that may be parallel with what follows.
    pub(crate) fn clear(&mut self) {
        self.order.clear();
        self.forget_ranges(0);
        self.joins_out = false;
    }

    /// The task whose first id is `from` ends; the given scope will join it.
    pub(crate) fn end_task(&mut self, from: Id, scope: ScopeNumber) -> Result<(), Exhausted> {
        self.order.spans.task_end(from, scope)?;
        self.forget_ranges(from);
        Ok(())
    }

    /// The given scope ends; no task in it has an id below `from`.
    pub(crate) fn end_scope(&mut self, from: Id, scope: ScopeNumber) -> Result<(), Exhausted> {
        self.order.spans.scope_end(from, scope)?;
        self.forget_ranges(from);
        Ok(())
    }

    /// Whether an access may be dropped only if it precedes another. Else one that is parallel with an
    /// older one may be, because whatever is ordered after the older one is so after it. That takes
    /// depth-first order, and tasks that join no later than those before them.
    #[inline]
    pub(crate) fn keeps_all(&self) -> bool {
        self.order.is_general() || self.joins_out
    }

    /// Whether the access surely precedes the current step or is its own.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn surely_precedes(&self, id: Id) -> bool {
        self.known_parallel(id) == Some(false)
    }

    /// Whether the access, which belongs to an earlier step, is parallel with the current one, if that
    /// is known.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "this is the access path of the checked program")]
    pub(crate) fn known_parallel(&self, id: Id) -> Option<bool> {
        if self.present.precedes(id) {
            Some(false)
        } else if self.present.is_parallel(id) {
            Some(true)
        } else {
            self.verdicts.get(id)
        }
    }

    /// Whether the access is parallel with the current step. It belongs to an earlier one.
    #[inline]
    pub(crate) fn is_parallel(&mut self, id: Id) -> bool {
        if let Some(parallel) = self.known_parallel(id) {
            return parallel;
        }
        let (from, to, parallel) = if self.order.is_general() {
            self.order.general.run_of(id)
        } else {
            self.order.spans.span_of(id)
        };
        self.remember(id, from, to, parallel);
        parallel
    }

    /// As [`Self::is_parallel`], but may take for parallel what precedes through promises far away.
    /// That is good enough to decide whether an access has to be kept: one that is kept for nothing
    /// costs a little memory, while proving that it must stay can cost a set of sources.
    #[inline]
    pub(crate) fn seems_parallel(&mut self, id: Id) -> bool {
        if !self.order.is_general() {
            return self.is_parallel(id);
        }
        if let Some(parallel) = self.known_parallel(id) {
            return parallel;
        }
        let (from, to, parallel) = self.order.general.run_plainly(id);
        if let Some(parallel) = parallel {
            self.remember(id, from, to, parallel);
        }
        parallel.unwrap_or(true)
    }

    /// Remembers whether the ids of a span or a run are parallel with the current step; one of them
    /// was asked for.
    #[inline]
    fn remember(&mut self, id: Id, from: Id, to: Id, parallel: bool) {
        self.present.remember(from, to, parallel);
        self.verdicts.set(id, parallel);
    }

    /// Ids from here on may be parallel with the current step that were not, or the other way round.
    #[inline]
    pub(crate) fn forget_ranges(&mut self, from: Id) {
        let Present { also_parallel, earlier, .. } = &mut self.present;
        for range in also_parallel.iter_mut().chain([earlier]) {
            if range.to > from {
                *range = Range::default();
            }
        }
        self.verdicts.forget(from);
    }

    /// Brings the thresholds up to date, after whatever may change them in depth-first order. `outermost` is the
    /// beginning of the outermost running task; `all_logged` says whether all running tasks are in the log;
    /// `has_acquired`, whether the current task has acquired anything; `has_released`, whether any has released.
    #[inline]
    pub(crate) fn update_thresholds(
        &mut self,
        outermost: Id,
        all_logged: bool,
        has_acquired: bool,
        has_released: bool,
    ) {
        let base = self.present.base;
        let floor = self.order.spans.floor();
        let settled = floor.min(outermost).min(base);
        let (parallel, serial) = self.order.spans.topmost_parallel(base);
        let prepared = all_logged && self.order.spans.has_step();
        let unprepared = if prepared { 0 } else { base };
        self.present = Present { settled, floor, parallel, serial, unprepared, ..self.present };
        self.set_every_reader(has_acquired);
        let tells_apart = has_released || self.keeps_all();
        self.present.alike = if tells_apart { Id::MAX } else { self.order.spans.topmost_alike() };
    }

    /// The thresholds are of little use in the general order: only what precedes everything, and what was asked for
    /// last.
    pub(crate) fn update_general_thresholds(&mut self) {
        let Present { settled, base, .. } = self.present;
        self.forget_ranges(0);
        self.present = Present {
            floor: settled,
            alike: Id::MAX,
            parallel: base,
            serial: base,
            unprepared: base,
            every_reader: 1,
            may_be_left: 0,
            ..self.present
        };
    }

    /// Whether every parallel reader counts, in depth-first order.
    #[inline]
    pub(crate) fn set_every_reader(&mut self, has_acquired: bool) {
        let every = has_acquired || self.keeps_all();
        self.present.every_reader = u32::from(every);
        if every {
            self.present.may_be_left = 0;
        }
    }
}
