//! The engine: task events of a run on one worker.
//!
//! What the runtime tells it is exactly what happened: a task begins and ends (in between
//! everything is its doing), scopes open and end. Locks and atomics are in [`crate::serial::releases`], tasks that
//! wait, and promises, in [`crate::serial::switching`]; accesses are judged by [`crate::serial::judge`].
//!
//! ```text
//!  Engine
//!    running    tasks and scopes
//!    judge      accesses, and their order; numbering: the log and the ids in it
//!    in_use     memory for giving ids anew
//! ```
//!
//! * Program class: async and finish in any nesting (so also fork-join and spawn/sync), tasks that
//!   join a scope further out, tasks that join none; promises and futures.
//! * Guarantee: every location with a determinacy race is reported, no other; ordering by
//!   release and acquire softens the class only. Both hold for all schedules of the input.
//! * Cost while execution is depth-first and no promise is set: O(1) for a task event, and for an
//!   access a search in the stack of spans, which is logarithmic in its depth at worst and one
//!   comparison as a rule. Else, until the region ends, as in [`crate::order::general`].

use crate::order::ScopeNumber;
use crate::order::general::{Sizes, TaskNumber};
use crate::serial::acquired::Acquired;
use crate::serial::cell::Cell;
use crate::serial::compaction::InUse;
use crate::serial::crowds::Crowds;
use crate::serial::judge::Judge;
use crate::serial::log::{Id, Site, TaskTag};
use crate::serial::memory::Storage;
use crate::serial::numbering::Numbering;
use crate::serial::present::Present;
use crate::serial::readers::Readers;
use crate::serial::records::Records;
use crate::serial::running::{Frame, Running, Scope};
use crate::serial::strong::Strong;
use crate::serial::weak::Via;
use crate::storage::Exhausted;

/// What was counted.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Tasks begun.
    pub tasks: u64,
    /// Steps in which something was logged.
    pub steps: u64,
    /// Accesses looked at beyond the first comparison.
    pub accesses: u64,
    /// Conflicts between updates that commute.
    pub commuting: u64,
    /// Words where an access had to be forgotten, and searches for order that had to be given up.
    pub crowded: u64,
}

/// The site of accesses that cannot be part of a conflict.
const PRIVATE: Site = 0;

/// The engine.
#[derive(Debug)]
pub struct Engine {
    /// The running tasks and open scopes.
    pub(crate) running: Running,
    /// What judges accesses.
    pub judge: Judge,
    /// Memory for finding the ids in use.
    pub(crate) in_use: InUse,
}

impl Engine {
    /// An engine before the first parallel region.
    pub fn new(storage: Storage) -> Self {
        let Storage {
            log,
            spans,
            knowledge,
            to_visit,
            found,
            records,
            frames,
            scopes,
            crowds,
            readers,
            general,
            in_use,
        } = storage;
        Self {
            running: Running::new(frames, scopes),
            judge: Judge::new(
                Numbering::new(log),
                Strong::new(spans, general),
                Acquired::new(knowledge, to_visit, found),
                Records::new(records),
                Crowds::new(crowds),
                Readers::new(readers),
            ),
            in_use,
        }
    }

    /// Ids of the present step are not below this one.
    #[inline]
    pub fn base(&self) -> Id {
        self.judge.strong.present.base
    }

    /// The first id of the present parallel region.
    #[inline]
    pub fn region(&self) -> Id {
        self.judge.strong.region
    }

    /// Brings the thresholds up to date, after whatever may change them in depth-first order.
    #[inline]
    pub(crate) fn update_thresholds(&mut self) {
        let Running { outermost, unlogged, .. } = self.running;
        let has_acquired = self.judge.weak.known != 0;
        let has_released = !self.judge.weak.graph.is_empty();
        self.judge.strong.update_thresholds(outermost, unlogged == 0, has_acquired, has_released);
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        let accesses = self.judge.counts;
        Counts {
            tasks: self.running.begun,
            steps: self.running.steps,
            accesses: accesses.accesses,
            commuting: accesses.commuting,
            crowded: accesses.crowded + self.judge.weak.graph.given_up,
        }
    }

    /// The current task.
    #[inline]
    pub fn current(&self) -> TaskNumber {
        if self.is_general() {
            self.judge.strong.order.general.current
        } else {
            self.running.frames.len()
        }
    }

    /// What is remembered with the current task, if it is not the main one.
    pub fn frame(&self) -> Option<&Frame> {
        self.running.frame(self.current())
    }

    /// What is remembered with the current task, if it is not the main one.
    pub fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.running.frame_mut(self.current())
    }

    /// How many scopes are open, while execution is depth-first.
    pub fn open_scopes(&self) -> usize {
        self.running.scopes.as_slice().iter().filter(|scope| !scope.is_hole()).count()
    }

    /// Whether nothing is parallel with the current step and no task runs but the main one: what
    /// follows is ordered after everything so far, and need not be remembered before the next
    /// task begins.
    pub fn is_quiet(&self) -> bool {
        if self.is_general() {
            self.judge.strong.order.general.is_quiet()
        } else {
            self.running.frames.is_empty() && self.judge.strong.order.spans.is_serial()
        }
    }

    /// Whether tasks have waited or promises were set in this region.
    #[inline]
    pub fn is_general(&self) -> bool {
        self.judge.strong.order.is_general()
    }

    /// How large the general order has become, in this region or the last that needed it.
    pub fn general_sizes(&self) -> Sizes {
        self.judge.strong.order.general.sizes()
    }

    /// Forgets the region that has just become quiet. Returns its log, which the next one is going to
    /// overwrite.
    pub fn end_region(&mut self) -> &mut [u32] {
        debug_assert!(self.is_quiet());
        self.count_step();
        if self.is_general() {
            self.return_to_depth_first();
        }
        self.judge.clear();
        self.running.forget_known();
        self.judge.strong.region = self.judge.numbering.next();
        self.new_step();
        self.judge.numbering.log.forget()
    }

    /// Forgets a region in the middle.
    pub fn abandon(&mut self) {
        self.running.abandon();
        self.judge.numbering.general_from = Id::MAX;
        self.judge.strong.order.clear();
        self.end_region();
    }

    /// Starts ids over, in no region. Every cell must be forgotten, too.
    pub fn restart(&mut self) {
        self.abandon();
        self.judge.weak.graph.forget_found();
        self.judge.numbering.restart();
        self.judge.strong.region = self.judge.numbering.next();
        self.judge.note_change();
        self.new_step();
    }

    /// The present step ends. In general order steps are counted when they begin.
    #[inline]
    pub(crate) fn count_step(&mut self) {
        let logged = self.judge.numbering.next() > self.judge.strong.present.base;
        self.running.steps += u64::from(logged && !self.is_general());
    }

    fn new_step(&mut self) {
        self.judge.strong.present.base = self.judge.numbering.next();
        self.judge.weak.forget_fences();
        self.judge.strong.present.may_be_left = Present::MAY_BE_LEFT;
        self.update_thresholds();
    }

    /// A task begins and is current; `scope` will join it, or nothing if it is 0. Returns its number,
    /// which is its own until it ends.
    pub fn task_begin(
        &mut self,
        tag: TaskTag,
        site: Site,
        scope: ScopeNumber,
    ) -> Result<TaskNumber, Exhausted> {
        if self.is_general() {
            return self.task_begin_anywhere(tag, site, scope);
        }
        self.count_step();
        let parent_knew = self.judge.weak.known;
        self.judge.strong.joins_out |= scope != self.running.scopes.len();
        self.running.frames.push(Frame { tag, site, scope, parent_knew, ..Frame::default() })?;
        self.running.unlogged += 1;
        self.running.begun += 1;
        if self.running.logs_tasks {
            self.log_tasks()?;
        }
        self.new_step();
        Ok(self.running.frames.len())
    }

    /// The current task ends, and whoever started or last resumed it goes on. If it has left scopes
    /// open, their tasks are from now on those of the scope that joins it.
    pub fn task_end(&mut self) -> Result<(), Exhausted> {
        if self.is_general() {
            return self.task_end_anywhere();
        }
        while let Some(scope) = self.running.scopes.as_slice().last()
            && scope.owner == self.running.frames.len()
            && scope.owner > 0
        {
            self.scope_end(self.running.scopes.len())?;
        }
        self.count_step();
        let Some(frame) = self.running.frames.pop() else { return Ok(()) };
        if frame.asked_for_worker && frame.begin != 0 {
            let knew = self.release_knowledge(frame.begin, frame.site, Via::ReleaseAcquire)?;
            self.judge.weak.leave_on_worker(knew)?;
        }
        if self.running.frames.as_slice().is_empty() {
            self.running.outermost = Id::MAX;
        }
        // If it has done something, the next will do so, too.
        self.running.logs_tasks = frame.begin != 0 && self.judge.numbering.next() > frame.begin + 1;
        if frame.begin == 0 {
            self.running.unlogged -= 1;
        } else {
            self.judge.numbering.log.end(frame.begin)?;
            self.judge.strong.end_task(frame.begin, frame.scope)?;
        }
        if self.judge.weak.known != frame.parent_knew && frame.scope != 0 {
            self.judge.weak.leave_to(&mut self.running.scopes[frame.scope - 1])?;
        }
        self.judge.weak.known = frame.parent_knew;
        self.new_step();
        Ok(())
    }

    /// The current task opens a scope.
    pub fn scope_begin(&mut self) -> Result<ScopeNumber, Exhausted> {
        if self.is_general() {
            return self.scope_begin_anywhere();
        }
        self.running.scopes.push(Scope {
            from: self.judge.numbering.next(),
            known: 0,
            owner: self.running.frames.len(),
        })?;
        Ok(self.running.scopes.as_slice().len() as ScopeNumber)
    }

    /// The scope ends, and any that were opened in it: a panic may have skipped their ends. All tasks
    /// in it have ended.
    pub fn scope_end(&mut self, number: ScopeNumber) -> Result<(), Exhausted> {
        if self.is_general() {
            return self.scope_end_anywhere(number);
        }
        self.count_step();
        let mut from = Id::MAX;
        let mut joined = 0;
        while self.running.scopes.len() >= number
            && let Some(scope) = self.running.scopes.pop()
        {
            from = scope.from;
            joined = self.judge.weak.graph.both(joined, scope.known)?;
        }
        if from < self.judge.numbering.next() {
            self.judge.strong.end_scope(from, number)?;
        }
        self.judge.weak.join(joined)?;
        self.new_step();
        Ok(())
    }

    /// The id by which the present step's accesses at `site` are remembered.
    #[inline]
    pub fn id_of(&mut self, site: Site) -> Result<Id, Exhausted> {
        if let Some(id) = self.judge.numbering.of_site(site, self.base()) {
            return Ok(id);
        }
        let id = self.new_id(site)?;
        self.judge.numbering.set_of_site(site, id);
        Ok(id)
    }

    /// A new id of the present step.
    #[inline]
    pub(crate) fn new_id(&mut self, site: Site) -> Result<Id, Exhausted> {
        self.prepare_id()?;
        self.judge.numbering.log.access(site)
    }

    /// The present step is going to get an id.
    #[inline]
    pub(crate) fn prepare_id(&mut self) -> Result<(), Exhausted> {
        if self.judge.numbering.next() == self.judge.strong.present.unprepared {
            self.begin_logging()
        } else {
            Ok(())
        }
    }

    /// The present step is going to get its first id: tasks that have none yet get theirs.
    #[inline]
    fn begin_logging(&mut self) -> Result<(), Exhausted> {
        if self.is_general() {
            self.running.steps += 1;
            return self.begin_run();
        }
        self.log_tasks()?;
        self.update_thresholds();
        Ok(())
    }

    /// The present step, and tasks that are not in the log, are going to be.
    #[inline]
    fn log_tasks(&mut self) -> Result<(), Exhausted> {
        self.judge.strong.order.spans.step(self.judge.numbering.next())?;
        if self.running.unlogged > 0 {
            let from = self.judge.numbering.next();
            self.running.log(&mut self.judge.numbering.log)?;
            self.judge.strong.order.spans.begins(from, self.judge.numbering.next());
        }
        Ok(())
    }

    /// An access to a word that no parallel step can reach as long as the current step lasts. All
    /// such accesses of a step have one id, and are taken for writes, whatever they are.
    #[inline]
    pub fn touch_private(&mut self, cell: &mut Cell, bytes: u8) -> Result<(), Exhausted> {
        let Present { private, base, .. } = self.judge.strong.present;
        if private < base {
            self.judge.strong.present.private = self.new_id(PRIVATE)?;
        }
        self.judge.touch_private(cell, bytes);
        Ok(())
    }

    /// Ids have new numbers, between two steps.
    pub(crate) fn renumber(&mut self, number: impl Fn(Id) -> Id) {
        self.running.renumber(number);
        self.judge.numbering.forget_sites();
        self.judge.note_change();
        self.judge.strong.forget_ranges(0);
        self.judge.strong.present.private = 0;
        self.judge.strong.present.base = self.judge.numbering.next();
        self.update_thresholds();
    }

    /// The current task, by the id of its beginning; 0 is the main task.
    pub(crate) fn current_task(&mut self) -> Result<Id, Exhausted> {
        if self.running.unlogged > 0 {
            self.begin_logging()?;
        }
        Ok(self.frame().map_or(0, |frame| frame.begin))
    }
}
