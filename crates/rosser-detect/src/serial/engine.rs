//! The engine: task events of a run on one worker, and who knows what.
//!
//! What the runtime tells it is exactly what happened: a task begins and ends (in between
//! everything is its doing), scopes open and end, locks and atomics release and acquire. The
//! accesses are in [`crate::serial::history`]; tasks that wait, and promises, in [`crate::serial::switching`].
//!
//! * Program class: async and finish in any nesting (so also fork-join and spawn/sync), tasks that
//!   join a scope further out, tasks that join none; promises and futures.
//! * Guarantee: every location with a determinacy race is reported, no other; ordering by
//!   release and acquire softens the class only. Both hold for all schedules of the input.
//! * Cost while execution is depth-first and no promise is set: O(1) for a task event, and for an
//!   access a search in the stack of spans, which is logarithmic in its depth at worst and one
//!   comparison as a rule. Else, until the region ends, as in [`crate::order::general`].

use crate::order::general::{Sizes, TaskNumber};
use crate::order::{GeneralStorage, JoinStorage, Order, ScopeNumber, Span};
use crate::serial::compaction::InUse;
use crate::serial::crowds::{Crowd, Crowds};
use crate::serial::history::Conflict;
use crate::serial::log::{Id, Log, Site, TaskTag};
use crate::serial::quick::{Present, Range};
use crate::serial::readers::{Reader, Readers};
use crate::serial::records::{Record, Records};
use crate::serial::verdicts::Verdicts;
use crate::serial::weak::{Found, Knowledge, Node, Via, Weak};
use crate::storage::{Exhausted, Stack};

/// A running task.
#[derive(Clone, Copy, Default, Debug)]
pub struct Frame {
    /// Its beginning in the log; 0 as long as it has nothing in the log.
    pub(crate) begin: Id,
    pub(crate) tag: TaskTag,
    pub(crate) site: Site,
    pub(crate) scope: ScopeNumber,
    /// What its parent knew.
    pub(crate) parent_knew: Knowledge,
    pub(crate) asked_for_worker: bool,
    /// Whatever the runtime wants to remember with a task.
    pub note: usize,
    /// How many scopes the runtime has seen the task open by itself.
    pub scopes: u32,
}

/// An open scope.
#[derive(Clone, Copy, Default, Debug)]
pub struct Scope {
    pub(crate) from: Id,
    /// What the tasks knew that it has joined.
    pub(crate) known: Knowledge,
    /// Who opened it.
    pub(crate) owner: TaskNumber,
}

impl Scope {
    /// A number between those of two open scopes, left over from when the order was general.
    pub(crate) fn hole(from: Id) -> Self {
        Self { from, known: 0, owner: TaskNumber::MAX }
    }

    pub(crate) fn is_hole(&self) -> bool {
        self.owner == TaskNumber::MAX
    }
}

/// The memory an engine lives in; the length of each slice is a limit.
#[derive(Debug)]
pub struct Storage {
    /// One word per remembered access, beginning and end of a task.
    pub log: &'static mut [u32],
    /// One per parallel or serial span.
    pub spans: &'static mut [Span],
    /// One per release and acquire.
    pub knowledge: &'static mut [Node],
    /// For searches in the knowledge.
    pub to_visit: &'static mut [(Knowledge, u32)],
    /// For answers of such searches.
    pub found: &'static mut [Found],
    /// One per word with atomic accesses.
    pub records: &'static mut [Record],
    /// One per running task.
    pub frames: &'static mut [Frame],
    /// One per open scope.
    pub scopes: &'static mut [Scope],
    /// Six accesses each, to words with many of them, as long as the order is general.
    pub crowds: &'static mut [Crowd],
    /// One per reader of words with many of them, likewise; words can share it.
    pub readers: &'static mut [Reader],
    /// For tasks that wait, and promises.
    pub general: GeneralStorage,
    /// For finding the ids in use.
    pub in_use: InUse,
}

impl Storage {
    /// Storage from the heap, never freed; for tests.
    pub fn leaked(log: usize, other: usize) -> Self {
        fn leak<T: Clone + Default>(len: usize) -> &'static mut [T] {
            vec![T::default(); len].leak()
        }
        Self {
            log: leak(log),
            spans: leak(other),
            knowledge: leak(other),
            to_visit: leak(other),
            found: leak(256),
            records: leak(other),
            frames: leak(other),
            scopes: leak(other),
            crowds: leak(other),
            readers: leak(4 * other),
            general: GeneralStorage {
                english: leak(4 * other),
                hebrew: leak(4 * other),
                runs: leak(4 * other),
                points: leak(other),
                tasks: leak(other),
                scopes: leak(other),
                loose: leak(other),
                joins: JoinStorage {
                    joins: leak(2 * other),
                    to_visit: leak(4 * other),
                    sources: leak(2 * other),
                    leaves: leak(4 * other),
                    nodes: leak(16 * other),
                    bounds: leak(64 + other / 16),
                    answers: leak(4096),
                },
            },
            in_use: InUse::new(leak(log / 64 + 1), leak(log / 64 + 1), leak(other)),
        }
    }
}

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

const IDS: usize = 256;
/// How many conflicts one access can have at most: one per remembered access.
const CONFLICTS: usize = crate::serial::records::CROWD + 2;

/// The engine.
#[derive(Debug)]
pub struct Engine {
    /// What the ids stand for.
    pub log: Log,
    pub(crate) order: Order,
    pub(crate) weak: Weak,
    pub(crate) records: Records,
    pub(crate) crowds: Crowds,
    /// The readers of words with many of them.
    pub readers: Readers,
    pub(crate) in_use: InUse,
    /// The running tasks, outermost first; once the order is general, in any order, with holes.
    pub(crate) frames: Stack<Frame>,
    /// The open scopes, likewise.
    pub(crate) scopes: Stack<Scope>,
    /// The first hole in either, or 0.
    pub(crate) free_frame: TaskNumber,
    pub(crate) free_scope: ScopeNumber,
    /// Ids from here on are of tasks whose beginnings have their parents next to them.
    pub(crate) general_from: Id,
    /// The topmost frames that have nothing in the log yet.
    pub(crate) unlogged: usize,
    /// The beginning of the outermost running task, if it is in the log.
    pub(crate) outermost: Id,
    /// What the access path compares with.
    pub present: Present,
    /// And where it looks if that does not decide.
    pub verdicts: Verdicts,
    pub(crate) region: Id,
    /// What relaxed loads would give to an acquire fence.
    pub(crate) at_fence: Knowledge,
    /// What a release fence gave to later relaxed stores.
    pub(crate) fence_released: Knowledge,
    pub(crate) worker: Knowledge,
    /// What the last isolated section left to the next.
    isolated: Knowledge,
    /// Whether a task of this region joins a scope further out than the innermost. Of parallel
    /// readers the first may then be joined before the others.
    pub(crate) joins_out: bool,
    /// Whether the last task to end has done something. Then the next is logged when it begins: that
    /// costs less than in the middle of its first access.
    logs_tasks: bool,
    /// The id that a site has in the present step, if it is not below the base.
    ids: [(Site, Id); IDS],
    pub(crate) conflicts: [Conflict; CONFLICTS],
    pub(crate) conflicting: usize,
    /// Changes if an atomic load that the present step has made before may have to be looked at again,
    /// though its word has a record: when something is updated atomically, when a record is made, which
    /// may be for a word that was forgotten, and when ids have new numbers.
    pub changes: u64,
    pub(crate) counts: Counts,
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
            log: Log::new(log),
            order: Order::new(spans, general),
            weak: Weak::new(knowledge, to_visit, found),
            records: Records::new(records),
            crowds: Crowds::new(crowds),
            readers: Readers::new(readers),
            frames: Stack::new(frames),
            scopes: Stack::new(scopes),
            in_use,
            free_frame: 0,
            free_scope: 0,
            general_from: Id::MAX,
            unlogged: 0,
            outermost: Id::MAX,
            present: Present {
                settled: 1,
                floor: Id::MAX,
                parallel: 1,
                serial: 1,
                base: 1,
                unprepared: 1,
                ..Present::default()
            },
            verdicts: Verdicts::new(),
            region: 1,
            at_fence: 0,
            fence_released: 0,
            worker: 0,
            isolated: 0,
            joins_out: false,
            logs_tasks: false,
            ids: [(0, 0); IDS],
            conflicts: [Conflict::default(); CONFLICTS],
            conflicting: 0,
            changes: 0,
            counts: Counts::default(),
        }
    }

    /// Ids of the present step are not below this one.
    #[inline]
    pub fn base(&self) -> Id {
        self.present.base
    }

    /// The first id of the present parallel region.
    #[inline]
    pub fn region(&self) -> Id {
        self.region
    }

    /// Brings the thresholds up to date, after whatever may change them in depth-first order.
    #[inline]
    fn update_thresholds(&mut self) {
        let base = self.present.base;
        let floor = self.order.spans.floor();
        let settled = floor.min(self.outermost).min(base);
        let (parallel, serial) = self.order.spans.topmost_parallel(base);
        let prepared = self.unlogged == 0 && self.order.spans.has_step();
        let unprepared = if prepared { 0 } else { base };
        self.present = Present { settled, floor, parallel, serial, unprepared, ..self.present };
        self.set_every_reader();
    }

    #[inline]
    fn set_every_reader(&mut self) {
        let every = self.present.known != 0 || self.keeps_all();
        self.present.every_reader = u32::from(every);
        if every {
            self.present.may_be_left = 0;
        }
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

    #[inline]
    pub(crate) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// Whether there may be cells with a record.
    pub fn has_records(&self) -> bool {
        !self.records.is_empty()
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        Counts { crowded: self.counts.crowded + self.weak.given_up, ..self.counts }
    }

    /// The current task.
    #[inline]
    pub fn current(&self) -> TaskNumber {
        if self.order.is_general() { self.order.general.current } else { self.frames.len() }
    }

    /// What is remembered with the current task, if it is not the main one.
    pub fn frame(&self) -> Option<&Frame> {
        self.frames.as_slice().get((self.current() as usize).wrapping_sub(1))
    }

    /// What is remembered with the current task, if it is not the main one.
    pub fn frame_mut(&mut self) -> Option<&mut Frame> {
        let index = (self.current() as usize).wrapping_sub(1);
        self.frames.as_mut_slice().get_mut(index)
    }

    /// How many scopes are open, while execution is depth-first.
    pub fn open_scopes(&self) -> usize {
        self.scopes.as_slice().iter().filter(|scope| !scope.is_hole()).count()
    }

    /// Whether nothing is parallel with the current step and no task runs but the main one: what
    /// follows is ordered after everything so far, and need not be remembered before the next
    /// task begins.
    pub fn is_quiet(&self) -> bool {
        if self.order.is_general() {
            self.order.general.is_quiet()
        } else {
            self.frames.is_empty() && self.order.spans.is_serial()
        }
    }

    /// Whether tasks have waited or promises were set in this region.
    pub fn is_general(&self) -> bool {
        self.order.is_general()
    }

    /// Whether an access may be dropped only if it precedes another. Else one that is parallel with an
    /// older one may be, because whatever is ordered after the older one is so after it. That takes
    /// depth-first order, and tasks that join no later than those before them.
    #[inline]
    pub(crate) fn keeps_all(&self) -> bool {
        self.order.is_general() || self.joins_out
    }

    /// How large the general order has become, in this region or the last that needed it.
    pub fn general_sizes(&self) -> Sizes {
        self.order.general.sizes()
    }

    /// Forgets the region that has just become quiet. Returns its log, which the next one is going to
    /// overwrite.
    pub fn end_region(&mut self) -> &mut [u32] {
        debug_assert!(self.is_quiet());
        self.count_step();
        if self.order.is_general() {
            self.return_to_depth_first();
        }
        self.order.clear();
        self.forget_ranges(0);
        self.weak.clear();
        self.records.clear();
        self.crowds.clear();
        self.readers.clear();
        for scope in self.scopes.as_mut_slice() {
            scope.known = 0;
        }
        self.present.known = 0;
        self.joins_out = false;
        self.worker = 0;
        self.isolated = 0;
        self.region = self.log.next();
        self.new_step();
        self.log.forget()
    }

    /// Forgets a region in the middle.
    pub fn abandon(&mut self) {
        self.frames.clear();
        self.scopes.clear();
        self.unlogged = 0;
        self.outermost = Id::MAX;
        self.general_from = Id::MAX;
        (self.free_frame, self.free_scope) = (0, 0);
        self.order.clear();
        self.end_region();
    }

    /// Starts ids over, in no region. Every cell must be forgotten, too.
    pub fn restart(&mut self) {
        self.abandon();
        self.weak.forget_found();
        self.log.restart();
        self.region = self.log.next();
        self.ids = [(0, 0); IDS];
        self.note_change();
        self.new_step();
    }

    /// The present step ends. In general order steps are counted when they begin.
    #[inline]
    pub(crate) fn count_step(&mut self) {
        let logged = self.log.next() > self.present.base;
        self.counts.steps += u64::from(logged && !self.order.is_general());
    }

    fn new_step(&mut self) {
        self.present.base = self.log.next();
        self.at_fence = 0;
        self.fence_released = 0;
        self.present.may_be_left = Present::MAY_BE_LEFT;
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
        if self.order.is_general() {
            return self.task_begin_anywhere(tag, site, scope);
        }
        self.count_step();
        let parent_knew = self.present.known;
        self.joins_out |= scope != self.scopes.len();
        self.frames.push(Frame { tag, site, scope, parent_knew, ..Frame::default() })?;
        self.unlogged += 1;
        self.counts.tasks += 1;
        if self.logs_tasks {
            self.log_tasks()?;
        }
        self.new_step();
        Ok(self.frames.len())
    }

    /// The current task ends, and whoever started or last resumed it goes on. If it has left scopes
    /// open, their tasks are from now on those of the scope that joins it.
    pub fn task_end(&mut self) -> Result<(), Exhausted> {
        if self.order.is_general() {
            return self.task_end_anywhere();
        }
        while let Some(scope) = self.scopes.as_slice().last()
            && scope.owner == self.frames.len()
            && scope.owner > 0
        {
            self.scope_end(self.scopes.len())?;
        }
        self.count_step();
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if frame.asked_for_worker && frame.begin != 0 {
            let knew = self.release_knowledge(frame.begin, frame.site, Via::ReleaseAcquire)?;
            self.worker = self.weak.both(knew, self.worker)?;
        }
        if self.frames.as_slice().is_empty() {
            self.outermost = Id::MAX;
        }
        // If it has done something, the next will do so, too.
        self.logs_tasks = frame.begin != 0 && self.log.next() > frame.begin + 1;
        if frame.begin == 0 {
            self.unlogged -= 1;
        } else {
            self.log.end(frame.begin)?;
            self.order.spans.task_end(frame.begin, frame.scope)?;
            self.forget_ranges(frame.begin);
        }
        if self.present.known != frame.parent_knew && frame.scope != 0 {
            let scope = &mut self.scopes.as_mut_slice()[frame.scope as usize - 1];
            scope.known = self.weak.both(scope.known, self.present.known)?;
        }
        self.present.known = frame.parent_knew;
        self.new_step();
        Ok(())
    }

    /// The current task opens a scope.
    pub fn scope_begin(&mut self) -> Result<ScopeNumber, Exhausted> {
        if self.order.is_general() {
            return self.scope_begin_anywhere();
        }
        self.scopes.push(Scope { from: self.log.next(), known: 0, owner: self.frames.len() })?;
        Ok(self.scopes.as_slice().len() as ScopeNumber)
    }

    /// The scope ends, and any that were opened in it: a panic may have skipped their ends. All tasks
    /// in it have ended.
    pub fn scope_end(&mut self, number: ScopeNumber) -> Result<(), Exhausted> {
        if self.order.is_general() {
            return self.scope_end_anywhere(number);
        }
        self.count_step();
        let mut from = Id::MAX;
        let mut joined = 0;
        while self.scopes.len() >= number
            && let Some(scope) = self.scopes.pop()
        {
            from = scope.from;
            joined = self.weak.both(joined, scope.known)?;
        }
        if from < self.log.next() {
            self.order.spans.scope_end(from, number)?;
            self.forget_ranges(from);
        }
        self.present.known = self.weak.both(self.present.known, joined)?;
        self.new_step();
        Ok(())
    }

    /// The id by which the present step's accesses at `site` are remembered.
    #[inline]
    pub fn id_of(&mut self, site: Site) -> Result<Id, Exhausted> {
        let slot = (site ^ site >> 8) as usize % IDS;
        let (known_site, id) = self.ids[slot];
        if known_site == site && id >= self.present.base {
            return Ok(id);
        }
        let id = self.new_id(site)?;
        self.ids[slot] = (site, id);
        Ok(id)
    }

    /// A new id of the present step.
    #[inline]
    pub(crate) fn new_id(&mut self, site: Site) -> Result<Id, Exhausted> {
        self.prepare_id()?;
        self.log.access(site)
    }

    /// The present step is going to get an id.
    #[inline]
    pub(crate) fn prepare_id(&mut self) -> Result<(), Exhausted> {
        if self.log.next() == self.present.unprepared { self.begin_logging() } else { Ok(()) }
    }

    /// The present step is going to get its first id: tasks that have none yet get theirs.
    #[inline]
    fn begin_logging(&mut self) -> Result<(), Exhausted> {
        if self.order.is_general() {
            self.counts.steps += 1;
            return self.begin_run();
        }
        self.log_tasks()?;
        self.update_thresholds();
        Ok(())
    }

    /// The present step, and tasks that are not in the log, are going to be.
    #[inline]
    fn log_tasks(&mut self) -> Result<(), Exhausted> {
        self.order.spans.step(self.log.next())?;
        if self.unlogged > 0 {
            let frames = self.frames.as_mut_slice();
            let logged = frames.len() - self.unlogged;
            let from = self.log.next();
            for frame in &mut frames[logged..] {
                frame.begin = self.log.begin(frame.tag, frame.site)?;
            }
            self.order.spans.begins(from, self.log.next());
            self.outermost = frames[0].begin;
            self.unlogged = 0;
        }
        Ok(())
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

    /// Ids have new numbers, between two steps.
    pub(crate) fn renumber(&mut self, number: impl Fn(Id) -> Id) {
        for frame in self.frames.as_mut_slice() {
            frame.begin = number(frame.begin);
        }
        for scope in self.scopes.as_mut_slice() {
            scope.from = number(scope.from);
        }
        if self.outermost != Id::MAX {
            self.outermost = number(self.outermost);
        }
        self.ids = [(0, 0); IDS];
        self.note_change();
        self.forget_ranges(0);
        self.present.private = 0;
        self.present.base = self.log.next();
        self.update_thresholds();
    }

    /// The current task, by the id of its beginning; 0 is the main task.
    pub(crate) fn current_task(&mut self) -> Result<Id, Exhausted> {
        if self.unlogged > 0 {
            self.begin_logging()?;
        }
        Ok(self.frame().map_or(0, |frame| frame.begin))
    }

    pub(crate) fn release_knowledge(
        &mut self,
        task: Id,
        site: Site,
        via: Via,
    ) -> Result<Knowledge, Exhausted> {
        self.weak.release(&mut self.order, self.present.known, task, self.log.next(), site, via)
    }

    /// What the current task gives to whoever acquires from it now. Begins a new step: what it
    /// does from now on is not in it.
    pub(crate) fn release(&mut self, site: Site, via: Via) -> Result<Knowledge, Exhausted> {
        let task = self.current_task()?;
        let knowledge = self.release_knowledge(task, site, via)?;
        self.count_step();
        self.present.base = self.log.next();
        if self.order.is_general() {
            self.update_general_thresholds();
        } else {
            self.update_thresholds();
        }
        Ok(knowledge)
    }

    /// The current task acquires what was released.
    pub(crate) fn acquire(
        &mut self,
        released: Knowledge,
        site: Site,
        via: Via,
    ) -> Result<(), Exhausted> {
        if released != 0 {
            let task = self.current_task()?;
            self.present.known =
                self.weak.acquire(self.present.known, released, task, site, via)?;
            let before = self.present.every_reader;
            self.set_every_reader();
            if self.present.every_reader != before {
                // Whoever remembers what an access of the step does to a cell is to forget it.
                self.count_step();
                self.present.base = self.log.next();
                if self.order.is_general() {
                    self.present.unprepared = self.present.base;
                }
            }
        }
        Ok(())
    }

    /// A fence that acquires, releases or both.
    pub fn fence(&mut self, site: Site, acquires: bool, releases: bool) -> Result<(), Exhausted> {
        if acquires {
            self.acquire(self.at_fence, site, Via::ReleaseAcquire)?;
        }
        if releases {
            self.fence_released = self.release(site, Via::ReleaseAcquire)?;
        }
        Ok(())
    }

    /// The current task begins an isolated section: no other is under way.
    pub fn isolated_begin(&mut self, site: Site) -> Result<(), Exhausted> {
        self.acquire(self.isolated, site, Via::ReleaseAcquire)
    }

    /// The current task ends its isolated section.
    pub fn isolated_end(&mut self, site: Site) -> Result<(), Exhausted> {
        let known = self.release(site, Via::ReleaseAcquire)?;
        self.isolated = self.weak.both(known, self.isolated)?;
        Ok(())
    }

    /// The current task asked which worker it runs on. On this run all tasks share one worker and
    /// what belongs to it; on another schedule each has its own.
    pub fn ask_for_worker(&mut self, site: Site) -> Result<(), Exhausted> {
        self.current_task()?;
        if let Some(frame) = self.frame_mut() {
            frame.asked_for_worker = true;
        }
        self.acquire(self.worker, site, Via::SameWorker)
    }

    /// Where a remembered access was made.
    pub fn site_of(&self, id: Id) -> Site {
        self.log.site(id)
    }
}

impl Frame {
    /// How the task came about.
    pub fn tag(&self) -> TaskTag {
        self.tag
    }

    /// Where it was spawned.
    pub fn site(&self) -> Site {
        self.site
    }
}
