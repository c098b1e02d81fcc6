//! `auto`: our own engine, for all constructs at once and in any order of execution.
//!
//! * **Program class**: everything in [`crate::event`].
//! * **Guarantee**: for every location, the worst class that any pair of accesses has
//!   ([`crate::findings::Class`]) is reported, exactly: nothing is missed and nothing invented,
//!   for all schedules of this input as long as control flow does not depend on an order-dependent
//!   value.
//! * **Cost**: an access that repeats one of the same step is one comparison. Else one query for
//!   the last writer and, for a read, one for the last reader. A query is a comparison of two
//!   labels when the async/finish tree decides it, a short search of the newest non-tree joins, or
//!   at worst a descent in the set of all of them; see [`joins`]. A location keeps one reader in
//!   fork-join programs, and an antichain of readers otherwise.
//!
//! # How it works
//! *Tree order.* Async/finish order is two-dimensional. Every step has a place in two orders: the
//! English one, left to right through the task tree, and the Hebrew one, in which an async child
//! comes after everything that follows it in its scope. A step precedes another through the tree
//! exactly if it comes first in both; see [`tree`]. Places are given out when tasks and scopes are
//! created, so execution may take any order.
//!
//! *Joins.* Promises, futures and, for the weak order, locks and semaphores add edges on top.
//!
//! *Strong and weak.* Two join graphs are kept apart: one with what every schedule must respect,
//! one that adds what merely happened in this run. The second comes into being, as a copy of the
//! first, with the first lock or semaphore, and is asked only about accesses that conflict.
//!
//! *Readers.* A read replaces those that strongly precede it: whatever is parallel with them and
//! comes later is parallel with it. As long as execution is depth-first and nothing was set,
//! released or signalled, a read that is parallel with the remembered one may be dropped, too
//! (pseudotransitivity, Feng and Leiserson, Lemma 7): every later path from the one kept leads
//! through a step that the one dropped precedes as well. Accumulations with one operator are
//! treated as reads of their own kind.

mod frontier;
mod history;
mod joins;
mod locks;
mod tree;

use history::{Accessors, Cell, Extra, Record};
use joins::{JoinGraph, MAX_BUDGET};
use locks::LockSets;
use tree::Tree;

use crate::detector::{Detector, DetectorKind};
use crate::event::{Access, Event};
use crate::findings::{Class, Detail, Exclusion, Findings, Place, Race};
use crate::ids::{LocId, SiteId, StepId, TaskId};

/// How many answers of the form "this step precedes the current task" are remembered.
const REMEMBERED: usize = 1 << 12;

/// A step after a fork or a scope's beginning or end, which is made only if something happens in
/// it. No location has it, so the next access takes the slow path.
const PENDING: StepId = StepId(u32::MAX - 1);

/// No location.
const NOWHERE: LocId = LocId(u32::MAX);

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct Auto {
    /// The step that is being executed, or `PENDING`.
    step: StepId,
    task: TaskId,
    /// Whether one reader per location is enough; see the module docs.
    fork_join: bool,
    tree: Tree,
    strong: JoinGraph,
    /// With the weak edges; absent until there is one.
    full: Option<JoinGraph>,
    locks: LockSets,
    cells: Vec<Cell>,
    extras: Vec<Extra>,
    /// Pairs of a step and a task that it was found to precede through joins. Like the next,
    /// empty until there are joins.
    known: Box<[(StepId, TaskId)]>,
    /// Pairs for which a short search found nothing. A later join may change that, so they are
    /// good for [`Self::precedes_plainly`] only.
    unknown: Box<[(StepId, TaskId)]>,
    /// Whether the current step may have been recorded anywhere. While it has not, a get need not
    /// begin another.
    used: bool,
    /// A location that the current step has read without being remembered for it.
    dropped: LocId,
    /// For each task, the last round of dropping in which it was met, so that meeting it again is
    /// noticed without a set.
    rounds: Vec<u32>,
    round: u32,
    /// The task that a depth-first execution must run next, if the last event decided it, and
    /// whether one reader is enough should it really do so.
    expected: Option<(TaskId, bool)>,
    findings: Findings,
}

impl Auto {
    /// A detector at the start of the main task.
    pub fn new(detail: Detail) -> Self {
        Self::with_search_budget(detail, MAX_BUDGET)
    }

    /// A detector whose searches of the join graph visit fewer nodes before they fall back on
    /// frontiers. The answers are the same; tests use it to reach the fallback with small programs.
    pub fn with_search_budget(detail: Detail, budget: u32) -> Self {
        let tree = Tree::new();
        Self {
            step: tree.current(TaskId::MAIN),
            task: TaskId::MAIN,
            fork_join: true,
            tree,
            strong: JoinGraph::new(budget),
            full: None,
            locks: LockSets::default(),
            cells: Vec::new(),
            extras: Vec::new(),
            known: Box::default(),
            unknown: Box::default(),
            used: true,
            dropped: NOWHERE,
            rounds: Vec::new(),
            round: 0,
            expected: None,
            findings: Findings::new(detail),
        }
    }

    fn for_each_graph(&mut self, mut act: impl FnMut(&mut JoinGraph, &Tree)) {
        act(&mut self.strong, &self.tree);
        if let Some(full) = &mut self.full {
            act(full, &self.tree);
        }
    }

    /// The graph for weak edges, which from now on differs from the strong one, and the tree.
    fn weak(&mut self) -> (&mut JoinGraph, &Tree) {
        self.fork_join = false;
        (self.full.get_or_insert_with(|| self.strong.clone()), &self.tree)
    }

    /// Ends the current step and begins the next one of the same task.
    fn next_step(&mut self) -> StepId {
        let ended = self.step;
        self.step = self.tree.next_step(self.task);
        self.used = false;
        self.locks.begin_step(self.step, self.task);
        ended
    }

    /// Begins the current task's step if it has not begun.
    #[inline]
    fn settle_step(&mut self) {
        if self.step == PENDING {
            self.step = self.tree.resume(self.task);
            self.used = false;
            self.locks.begin_step(self.step, self.task);
        }
    }

    /// Until the given task really runs next, execution may turn out not to be depth-first.
    fn expect(&mut self, next: Option<TaskId>) {
        let fork_join = std::mem::replace(&mut self.fork_join, false);
        self.expected = next.map(|task| (task, fork_join));
    }

    fn switch(&mut self, to: TaskId) {
        // A depth-first execution enters a child when it is forked and leaves it when it has
        // ended. Anything else, and two parallel steps may run in either order.
        self.fork_join = match self.expected.take() {
            Some((task, fork_join)) if task == to => fork_join,
            _ => {
                self.tree.leave_depth_first(self.task);
                false
            }
        };
        self.task = to;
        if self.tree.is_pending(to) {
            self.step = PENDING;
        } else {
            self.used = self.tree.has_begun(to);
            self.step = self.tree.resume(to);
            self.locks.begin_step(self.step, to);
        }
    }

    /// Whether a step executed earlier comes before the current one in every schedule.
    #[inline]
    fn precedes(&mut self, earlier: StepId) -> bool {
        self.tree.precedes_current(earlier, self.step) || self.precedes_by_joins(earlier)
    }

    fn precedes_by_joins(&mut self, earlier: StepId) -> bool {
        if !self.strong.any_for(self.task) {
            return false;
        }
        let slot = self.slot(earlier);
        if self.known[slot] == (earlier, self.task) {
            return true;
        }
        let found = self.strong.reaches(&self.tree, earlier, self.task);
        if found {
            self.known[slot] = (earlier, self.task);
        }
        found
    }

    /// As [`Self::precedes`], but may miss an order that only a long search would find. Good enough
    /// to decide whether a remembered reader may go: one that stays for nothing costs a little
    /// memory, while proving that it must stay can cost a frontier.
    fn precedes_plainly(&mut self, earlier: StepId) -> bool {
        if self.tree.precedes_current(earlier, self.step) {
            return true;
        }
        if !self.strong.any_for(self.task) {
            return false;
        }
        let (slot, pair) = (self.slot(earlier), (earlier, self.task));
        if self.known[slot] == pair || self.unknown[slot] == pair {
            return self.known[slot] == pair;
        }
        let found = self.strong.reaches_plainly(&self.tree, earlier, self.task);
        let table = if found { &mut self.known } else { &mut self.unknown };
        table[slot] = pair;
        found
    }

    /// Where an answer about a step and the current task is remembered.
    #[inline]
    fn slot(&self, earlier: StepId) -> usize {
        (earlier.0 ^ self.task.0.wrapping_mul(0x9E37_79B9)) as usize % REMEMBERED
    }

    /// What keeps two conflicting, strongly parallel accesses from overlapping.
    #[cold]
    fn exclusion(&mut self, earlier: StepId, first: Access, second: Access) -> Exclusion {
        if self.locks.have_common(earlier, self.step) {
            return Exclusion::CommonLock;
        }
        if first.is_atomic() && second.is_atomic() {
            return Exclusion::Atomic;
        }
        let full = self.full.as_mut();
        if full.is_some_and(|full| full.reaches(&self.tree, earlier, self.task)) {
            Exclusion::WeakOrder
        } else {
            Exclusion::None
        }
    }

    #[cold]
    fn conflict(&mut self, location: LocId, first: Record, as_access: Access, me: Place) {
        let exclusion = self.exclusion(first.step, as_access, me.access);
        let first = Place { site: first.site, access: as_access, task: self.tree.task(first.step) };
        self.findings.report(Race { location, exclusion, first, second: me });
        if exclusion.class() == Class::DataRace && self.findings.detail() == Detail::Locations {
            self.cells[location.index()].settle();
        }
    }

    /// Reports if the access recorded under `as_access` is parallel with the current one.
    #[inline]
    fn check(&mut self, location: LocId, record: Record, as_access: Access, me: Place) {
        if record.is_some() && !self.precedes(record.step) {
            self.conflict(location, record, as_access, me);
        }
    }

    /// Everything but the access that repeats one of the same step.
    #[inline(never)]
    fn access_slowly(&mut self, location: LocId, access: Access, site: SiteId) {
        // A parent that goes on before its new child does is not executed depth-first.
        self.expected = None;
        self.settle_step();
        self.used = true;
        let me = Place { site, access, task: self.task };
        let now = Record { step: self.step, site };
        let writer = self.cells[location.index()].writer;
        self.check(location, writer, Access::Write, me);
        if let Some(extra) = self.cells[location.index()].extra() {
            self.check_atomics(location, extra, me);
        }
        match access {
            Access::Read => self.remember_read(location, now),
            _ if access.writes() => {
                self.check_readers(location, me);
                if access == Access::Write {
                    let cell = &mut self.cells[location.index()];
                    cell.writer = now;
                    cell.reader = Record::NONE;
                    if let Some(extra) = cell.extra() {
                        self.extras[extra].clear();
                    }
                } else {
                    self.remember_atomic(location, access, now);
                }
            }
            _ => self.remember_atomic(location, access, now),
        }
    }

    fn check_readers(&mut self, location: LocId, me: Place) {
        let reader = self.cells[location.index()].reader;
        self.check(location, reader, Access::Read, me);
        if let Some(extra) = self.cells[location.index()].extra() {
            let readers = std::mem::take(&mut self.extras[extra].readers);
            for reader in readers.iter() {
                self.check(location, reader, Access::Read, me);
            }
            self.extras[extra].readers = readers;
        }
    }

    fn check_atomics(&mut self, location: LocId, extra: usize, me: Place) {
        let Some(atomics) = self.extras[extra].atomics.take() else {
            return;
        };
        for (access, accessors) in &atomics.kinds {
            if access.conflicts_with(me.access) {
                for record in accessors.iter() {
                    self.check(location, record, *access, me);
                }
            }
        }
        self.extras[extra].atomics = Some(atomics);
    }

    fn remember_read(&mut self, location: LocId, now: Record) {
        let old = self.cells[location.index()].reader;
        if !old.is_some() || self.precedes_plainly(old.step) {
            self.cells[location.index()].reader = now;
        } else if !self.fork_join {
            // The newest reader stays in the cell, where its task will look first.
            self.cells[location.index()].reader = now;
            let extra = self.extra_of(location);
            let mut readers = std::mem::take(&mut self.extras[extra].readers);
            self.add(&mut readers, old);
            self.extras[extra].readers = readers;
        } else {
            self.dropped = location;
        }
    }

    fn remember_atomic(&mut self, location: LocId, access: Access, now: Record) {
        let extra = self.extra_of(location);
        let mut accessors = self.extras[extra].take_atomic(access);
        match accessors.newest() {
            Some(newest) if self.precedes_plainly(newest.step) => accessors.replace_newest(now),
            Some(_) if self.fork_join => {}
            _ => self.add(&mut accessors, now),
        }
        self.extras[extra].put_atomic(access, accessors);
    }

    /// Adds a record to an antichain; once in a while drops those that are not needed: what
    /// precedes the current step, and all but the newest of each task.
    fn add(&mut self, accessors: &mut Accessors, record: Record) {
        if accessors.is_due() {
            self.round += 1;
            self.rounds.resize(self.tree.tasks(), 0);
            accessors.retain(|step| {
                let task = self.tree.task(step);
                let last = std::mem::replace(&mut self.rounds[task.index()], self.round);
                last != self.round && !self.precedes(step)
            });
        }
        accessors.push(record);
    }

    fn extra_of(&mut self, location: LocId) -> usize {
        let cell = &mut self.cells[location.index()];
        cell.extra().unwrap_or_else(|| {
            let index = self.extras.len();
            self.extras.push(Extra::default());
            cell.set_extra(index);
            index
        })
    }
}

impl Detector for Auto {
    fn kind(&self) -> DetectorKind {
        DetectorKind::Auto
    }

    fn event(&mut self, event: Event) {
        self.dropped = NOWHERE;
        match event {
            Event::Switch { .. } => {}
            // These need no step of their own.
            Event::Fork { .. } | Event::ScopeBegin { .. } | Event::ScopeEnd { .. } | Event::End => {
                self.expected = None;
            }
            _ => {
                self.expected = None;
                self.settle_step();
            }
        }
        match event {
            Event::Fork { child, .. } => {
                let task = self.task;
                self.tree.fork(task, child);
                self.step = PENDING;
                self.for_each_graph(|graph, _| graph.fork(task, child));
                self.expect(Some(child));
            }
            Event::Switch { to } => self.switch(to),
            Event::Block => self.fork_join = false,
            Event::End => {
                let task = self.task;
                let scope = self.tree.scope_of(task);
                self.for_each_graph(|graph, tree| graph.end_task(tree, task, scope));
                self.expect(self.tree.parent(task));
            }
            Event::ScopeBegin { .. } => {
                self.tree.begin_scope(self.task);
                self.step = PENDING;
            }
            Event::ScopeEnd { .. } => {
                let task = self.task;
                let scope = self.tree.end_scope(task);
                self.step = PENDING;
                if self.full.as_ref().unwrap_or(&self.strong).learnt_in(scope) {
                    self.settle_step();
                    let step = self.step;
                    self.for_each_graph(|graph, tree| graph.end_scope(tree, scope, task, step));
                }
            }
            Event::Set { promise } => {
                self.fork_join = false;
                let (ended, task) = (self.next_step(), self.task);
                self.for_each_graph(|graph, _| graph.set(promise, ended, task));
            }
            Event::Get { promise } => {
                if self.known.is_empty() {
                    let none = (StepId(u32::MAX), TaskId(u32::MAX));
                    self.known = vec![none; REMEMBERED].into();
                    self.unknown = vec![none; REMEMBERED].into();
                }
                if self.used {
                    self.next_step();
                }
                let (step, task) = (self.step, self.task);
                self.for_each_graph(|graph, tree| graph.get(tree, promise, step, task));
            }
            Event::Acquire { lock } => {
                let task = self.task;
                self.locks.acquire(task, lock);
                self.next_step();
                let step = self.step;
                let (graph, tree) = self.weak();
                graph.acquire(tree, lock, step, task);
            }
            Event::Release { lock } => {
                let task = self.task;
                self.locks.release(task, lock);
                let ended = self.next_step();
                self.weak().0.release(lock, ended, task);
            }
            Event::Signal { token } => {
                let (ended, task) = (self.next_step(), self.task);
                self.weak().0.signal(token, ended, task);
            }
            Event::Await { token } => {
                self.next_step();
                let (step, task) = (self.step, self.task);
                let (graph, tree) = self.weak();
                graph.wait(tree, token, step, task);
            }
        }
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let index = location.index();
        if index >= self.cells.len() {
            self.cells.resize(index + 1, Cell::NEW);
        }
        let repeats = access == Access::Read && location == self.dropped;
        if !self.cells[index].is_settled_for(self.step, access) && !repeats {
            self.access_slowly(location, access, site);
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        let readers: usize = self.extras.iter().map(Extra::kept).sum();
        vec![
            ("tasks", self.tree.tasks() as u64),
            ("steps", self.tree.steps() as u64),
            ("labels changed", self.tree.relabelled()),
            ("non-tree joins", self.strong.len() as u64),
            ("graph searches", self.strong.searches()),
            ("joins visited", self.strong.visited()),
            ("frontier nodes", self.strong.frontier_nodes() as u64),
            ("extra accessors kept", readers as u64),
        ]
    }
}
