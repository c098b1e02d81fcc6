//! DRDP: F. Jin, L. Yu, T. Cogumbreiro, J. Shirako and V. Sarkar, *Dynamic Determinacy Race
//! Detection for Task-Parallel Programs with Promises*, ECOOP 2023, Figures 8 and 9.
//!
//! * **Program class**: async, finish and promises, with futures as promises set at a task's end
//!   and spawn/sync as async in a finish. Executed depth-first, a blocked task yielding to whoever
//!   ran it, a set running its waiters at once (§4.2).
//! * **Guarantee**: a race on a location is reported if and only if one exists (Theorem 12), with
//!   the correction below.
//! * **Cost**: a query walks up the tree and searches the non-tree joins, O(H·m·α); a write makes
//!   one query per reader since the last write, and a location keeps all of them.
//!
//! # Corrections
//! 1. *Empty tasks are not merged.* Figure 8 merges "each task X in F" at the end of a finish. If
//!    the empty task that stands for a promise is among them, what the finish's owner gets *later*
//!    appears to precede the promise, and `PRECEDE` claims orders that do not exist.
//!    [`DrdpOptions::merge_empty_tasks`] brings the mistake back, so that the fuzzer can be shown
//!    to find it.
//! 2. *An LSA is captured with its own LSA.* Figure 9, line 43, looks it up in the set of the
//!    ancestor. An empty task that is not merged outlives its finish; by then the sets of its
//!    ancestors are merged, the merged set keeps only the owner's LSA, and the joins of those in
//!    between are lost: `PRECEDE` misses orders, which shows as false races.
//!    [`DrdpOptions::late_lsas`] brings that back.
//! 3. *Left of.* `lca_lc` is defined for a left and a right step; see `Dpst::precedes`.

use std::collections::VecDeque;

use super::cells::Cells;
use super::dpst::{Dpst, NodeId, NodeKind};
use crate::detector::Detector;
use crate::event::{Access, Event};
use crate::findings::{Detail, Exclusion, Findings, Place, Race};
use crate::ids::{LocId, PromiseId, SiteId, TaskId};
use crate::live::LiveDetector;
use crate::papers::disjoint_set::DisjointSets;
use crate::registry::DetectorKind;

/// Whether the computation graph is searched depth-first or breadth-first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Depth-first.
    Dfs,
    /// Breadth-first.
    Bfs,
}

/// In which order the non-tree joins of a set are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinOrder {
    /// The oldest first.
    FrontToBack,
    /// The newest first.
    BackToFront,
}

/// The traversal order of a reachability check (§4.4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// Depth-first or breadth-first.
    pub search: Search,
    /// Oldest or newest joins first.
    pub joins: JoinOrder,
}

/// Settings of the detector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrdpOptions {
    /// How much to report.
    pub detail: Detail,
    /// The order of the graph search; the paper's choice is breadth-first, newest joins first.
    pub traversal: Traversal,
    /// Merge the empty tasks of promises at finish end, which is wrong: see the module docs.
    pub merge_empty_tasks: bool,
    /// Look up the LSA of an LSA when it is asked for, which is wrong: see the module docs.
    pub late_lsas: bool,
}

impl Default for DrdpOptions {
    fn default() -> Self {
        Self {
            detail: Detail::default(),
            traversal: Traversal { search: Search::Bfs, joins: JoinOrder::BackToFront },
            merge_empty_tasks: false,
            late_lsas: false,
        }
    }
}

/// How many tasks the graph searches visited; Table 3 of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    /// How many reachability checks needed the search at all.
    pub searches: u64,
    /// Tasks visited, over all searches.
    pub total: u64,
    /// The fewest in one search.
    pub min: u64,
    /// The most in one search.
    pub max: u64,
}

const NONE: u32 = u32::MAX;

/// The state of a task (the paper's ACTIVE, BLOCKED and FINISHED; the last two are told apart by
/// nobody).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Running, or waiting for a task that it started or woke: on the worker's stack.
    Active,
    /// Blocked or finished.
    Idle,
}

/// The least-significant ancestor: the lowest ancestor with a non-tree join, and the joins it had
/// when the descendant was created.
#[derive(Clone, Copy, Debug)]
struct Lsa {
    /// The ancestor, whose list of joins is meant.
    task: u32,
    /// How many of its joins count.
    joins: u32,
    /// The ancestor's own LSA, as an index; see correction 2.
    above: u32,
}

/// A task or the empty task of a promise. Indices into the table of tasks are internal.
#[derive(Debug)]
struct Task {
    id: TaskId,
    state: State,
    /// Open finish scopes of this task, innermost last, above them the task's own node.
    scopes: Vec<(NodeId, u32)>,
    /// The finish that joins this task, as an index into `finishes`.
    joined_by: u32,
    /// The empty tasks of the promises this task's set got, in order; grows only.
    joins: Vec<u32>,
    /// Index into `lsas`, or `NONE`.
    lsa: u32,
    /// The current step, once it has accessed something; for an empty task, its only step.
    step: Option<NodeId>,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    writer: Option<(NodeId, SiteId)>,
    readers: Vec<(NodeId, SiteId)>,
}

/// A part of a task's list of joins that is still to be visited.
#[derive(Clone, Copy, Debug)]
struct Pending {
    task: u32,
    from: u32,
    to: u32,
}

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct Drdp {
    options: DrdpOptions,
    dpst: Dpst,
    tasks: Vec<Task>,
    /// The internal index of each task of the program.
    index: Vec<u32>,
    sets: DisjointSets,
    /// For a set's representative: the task whose `joins` and `lsa` are the set's.
    owner: Vec<u32>,
    lsas: Vec<Lsa>,
    /// The tasks that each open finish will join.
    finishes: Vec<Vec<u32>>,
    /// The empty task of each promise that has been set.
    promises: Vec<u32>,
    /// The task of each step, by tree node.
    step_task: Vec<u32>,
    current: u32,
    cells: Cells<Cell>,
    findings: Findings,
    visits: Visits,
    /// When each task was last visited, so that the visited set need not be cleared.
    visited: Vec<u32>,
    epoch: u32,
    pending_joins: VecDeque<Pending>,
    pending_lsas: VecDeque<u32>,
}

impl Drdp {
    /// A detector with the paper's traversal order and our corrections.
    pub fn new(detail: Detail) -> Self {
        Self::with_options(DrdpOptions { detail, ..DrdpOptions::default() })
    }

    /// A detector with the given settings.
    pub fn with_options(options: DrdpOptions) -> Self {
        let mut detector = Self {
            options,
            dpst: Dpst::new(),
            tasks: Vec::new(),
            index: Vec::new(),
            sets: DisjointSets::default(),
            owner: Vec::new(),
            lsas: Vec::new(),
            finishes: vec![Vec::new()],
            promises: Vec::new(),
            step_task: Vec::new(),
            current: 0,
            cells: Cells::default(),
            findings: Findings::new(options.detail),
            visits: Visits::default(),
            visited: Vec::new(),
            epoch: 0,
            pending_joins: VecDeque::new(),
            pending_lsas: VecDeque::new(),
        };
        let main = detector.new_task(TaskId::MAIN, Dpst::ROOT, 0, NONE);
        detector.index.push(main);
        detector
    }

    /// What the searches cost so far.
    pub fn visits(&self) -> Visits {
        self.visits
    }

    fn new_task(&mut self, id: TaskId, node: NodeId, joined_by: u32, lsa: u32) -> u32 {
        let task = self.sets.make_set();
        self.owner.push(task);
        self.visited.push(0);
        self.tasks.push(Task {
            id,
            state: State::Active,
            scopes: vec![(node, joined_by)],
            joined_by,
            joins: Vec::new(),
            lsa,
            step: None,
        });
        task
    }

    /// Creates a task, or an empty task, under the current one: lines 1 to 11.
    fn create(&mut self, id: TaskId) -> u32 {
        let parent = &self.tasks[self.current as usize];
        let (scope, finish) = *parent.scopes.last().expect("a task's own node is never left");
        let lsa = if parent.joins.is_empty() {
            parent.lsa
        } else {
            let joins = parent.joins.len() as u32;
            self.lsas.push(Lsa { task: self.current, joins, above: parent.lsa });
            (self.lsas.len() - 1) as u32
        };
        let node = self.dpst.add(scope, NodeKind::Async);
        self.new_task(id, node, finish, lsa)
    }

    fn fork(&mut self, child: TaskId) {
        let task = self.create(child);
        self.index.push(task);
        self.register(task);
        self.end_step();
    }

    /// Has the finish around a task join it.
    fn register(&mut self, task: u32) {
        let finish = self.tasks[task as usize].joined_by;
        self.finishes[finish as usize].push(task);
    }

    fn set(&mut self, promise: PromiseId) {
        self.end_step();
        let setter = self.tasks[self.current as usize].id;
        let empty = self.create(setter);
        let (node, _) = self.tasks[empty as usize].scopes[0];
        let step = self.dpst.add(node, NodeKind::Step);
        self.note_step(step, empty);
        let task = &mut self.tasks[empty as usize];
        task.step = Some(step);
        task.state = State::Idle;
        if self.options.merge_empty_tasks {
            self.register(empty);
        }
        if self.promises.len() <= promise.index() {
            self.promises.resize(promise.index() + 1, NONE);
        }
        self.promises[promise.index()] = empty;
    }

    fn get(&mut self, promise: PromiseId) {
        self.end_step();
        let empty = self.promises[promise.index()];
        self.tasks[self.current as usize].joins.push(empty);
    }

    fn begin_finish(&mut self) {
        self.end_step();
        let task = &mut self.tasks[self.current as usize];
        let (scope, _) = *task.scopes.last().expect("a task's own node is never left");
        let node = self.dpst.add(scope, NodeKind::Finish);
        task.scopes.push((node, self.finishes.len() as u32));
        self.finishes.push(Vec::new());
    }

    /// Lines 26 to 39: the owner's set swallows the sets of the joined tasks.
    fn end_finish(&mut self) {
        self.end_step();
        let owner = self.current;
        let (_, finish) =
            self.tasks[owner as usize].scopes.pop().expect("only an open finish ends");
        for joined in std::mem::take(&mut self.finishes[finish as usize]) {
            let theirs = std::mem::take(&mut self.tasks[joined as usize].joins);
            self.tasks[owner as usize].joins.extend_from_slice(&theirs);
            // Descendants that outlive the finish only as promises still name this list.
            self.tasks[joined as usize].joins = theirs;
            let root = self.sets.union(owner, joined);
            self.owner[root as usize] = owner;
        }
    }

    fn end_step(&mut self) {
        self.tasks[self.current as usize].step = None;
    }

    fn note_step(&mut self, step: NodeId, task: u32) {
        self.step_task.resize(step.0 as usize, NONE);
        self.step_task.push(task);
    }

    /// The current step, made when it first accesses something.
    #[inline]
    fn step(&mut self) -> NodeId {
        let task = &self.tasks[self.current as usize];
        if let Some(step) = task.step {
            return step;
        }
        let (scope, _) = *task.scopes.last().expect("a task's own node is never left");
        let step = self.dpst.add(scope, NodeKind::Step);
        self.note_step(step, self.current);
        self.tasks[self.current as usize].step = Some(step);
        step
    }

    /// `PRECEDE(a, b)` of Figure 9, with `b` the current step.
    fn precedes(&mut self, a: NodeId, b: NodeId) -> bool {
        if self.dpst.precedes(a, b) {
            return true;
        }
        let task_of_a = self.step_task[a.0 as usize];
        if self.tasks[task_of_a as usize].state == State::Active {
            return true;
        }
        self.search(a)
    }

    /// Lines 11 to 62: looks for a chain of promises from `a` to the current task.
    fn search(&mut self, a: NodeId) -> bool {
        self.epoch += 1;
        self.pending_joins.clear();
        self.pending_lsas.clear();
        let mut count = 0;
        let found = self.search_counting(a, &mut count);
        if count > 0 {
            let visits = &mut self.visits;
            visits.min = if visits.searches == 0 { count } else { visits.min.min(count) };
            visits.max = visits.max.max(count);
            visits.searches += 1;
            visits.total += count;
        }
        found
    }

    fn search_counting(&mut self, a: NodeId, count: &mut u64) -> bool {
        self.push_set(self.current);
        loop {
            while let Some(empty) = self.next_join() {
                if self.visit(empty) {
                    *count += 1;
                    let step = self.tasks[empty as usize].step.expect("made when it was set");
                    if self.dpst.precedes(a, step) {
                        return true;
                    }
                    self.push_set(empty);
                }
            }
            let Some(lsa) = self.next_lsa() else {
                return false;
            };
            let Lsa { task, joins, above } = self.lsas[lsa as usize];
            self.push_joins(Pending { task, from: 0, to: joins });
            let above = if self.options.late_lsas { self.lsa_of_set(task) } else { above };
            self.push_lsa(above);
        }
    }

    /// Whether the task has not been visited in this search; it has been from now on.
    fn visit(&mut self, task: u32) -> bool {
        std::mem::replace(&mut self.visited[task as usize], self.epoch) != self.epoch
    }

    /// Queues the joins and the LSA of a task's set.
    fn push_set(&mut self, task: u32) {
        let owner = self.set_owner(task);
        let Task { ref joins, lsa, .. } = self.tasks[owner as usize];
        let to = joins.len() as u32;
        self.push_joins(Pending { task: owner, from: 0, to });
        self.push_lsa(lsa);
    }

    /// The LSA of the set that a task is in by now.
    fn lsa_of_set(&mut self, task: u32) -> u32 {
        let owner = self.set_owner(task);
        self.tasks[owner as usize].lsa
    }

    /// The task whose joins and LSA are those of the set that a task is in by now.
    fn set_owner(&mut self, task: u32) -> u32 {
        let root = self.sets.find(task);
        self.owner[root as usize]
    }

    fn push_joins(&mut self, pending: Pending) {
        if pending.from < pending.to {
            self.pending_joins.push_back(pending);
        }
    }

    fn push_lsa(&mut self, lsa: u32) {
        if lsa != NONE {
            self.pending_lsas.push_back(lsa);
        }
    }

    /// The next non-tree join in the chosen order. Lists are queued whole and consumed one join at
    /// a time, which visits the same tasks in the same order as queueing each join.
    fn next_join(&mut self) -> Option<u32> {
        let pending = match self.options.traversal.search {
            Search::Bfs => self.pending_joins.front_mut(),
            Search::Dfs => self.pending_joins.back_mut(),
        }?;
        let position = match self.options.traversal.joins {
            JoinOrder::FrontToBack => {
                pending.from += 1;
                pending.from - 1
            }
            JoinOrder::BackToFront => {
                pending.to -= 1;
                pending.to
            }
        };
        let task = pending.task;
        if pending.from == pending.to {
            match self.options.traversal.search {
                Search::Bfs => self.pending_joins.pop_front(),
                Search::Dfs => self.pending_joins.pop_back(),
            };
        }
        Some(self.tasks[task as usize].joins[position as usize])
    }

    fn next_lsa(&mut self) -> Option<u32> {
        match self.options.traversal.search {
            Search::Bfs => self.pending_lsas.pop_front(),
            Search::Dfs => self.pending_lsas.pop_back(),
        }
    }

    #[cold]
    fn report(&mut self, location: LocId, first: (NodeId, SiteId), as_access: Access, me: Place) {
        let task = self.step_task[first.0.0 as usize];
        let first = Place { site: first.1, access: as_access, task: self.tasks[task as usize].id };
        self.findings.report(Race { location, exclusion: Exclusion::None, first, second: me });
    }
}

impl Detector for Drdp {
    fn kind(&self) -> DetectorKind {
        DetectorKind::Drdp
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Fork { child, .. } => self.fork(child),
            Event::Switch { to } => {
                self.current = self.index[to.index()];
                self.tasks[self.current as usize].state = State::Active;
            }
            Event::Block => self.tasks[self.current as usize].state = State::Idle,
            Event::End => {
                self.end_step();
                self.tasks[self.current as usize].state = State::Idle;
            }
            Event::ScopeBegin { .. } => self.begin_finish(),
            Event::ScopeEnd { .. } => self.end_finish(),
            Event::Set { promise } => self.set(promise),
            Event::Get { promise } => self.get(promise),
            other => unreachable!("{other:?} is outside the class of DRDP"),
        }
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let step = self.step();
        let me = Place { site, access, task: self.tasks[self.current as usize].id };
        if let Some(writer) = self.cells.at(location).writer
            && writer.0 != step
            && !self.precedes(writer.0, step)
        {
            self.report(location, writer, Access::Write, me);
        }
        match access {
            Access::Read => {
                let readers = &mut self.cells.at(location).readers;
                if readers.last().is_none_or(|last| last.0 != step) {
                    readers.push((step, site));
                }
            }
            Access::Write => {
                let mut readers = std::mem::take(&mut self.cells.at(location).readers);
                for &reader in &readers {
                    if reader.0 != step && !self.precedes(reader.0, step) {
                        self.report(location, reader, Access::Read, me);
                    }
                }
                readers.clear();
                let cell = self.cells.at(location);
                cell.readers = readers;
                cell.writer = Some((step, site));
            }
            other => unreachable!("{other:?} is outside the class of DRDP"),
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        let readers: usize = self.cells.iter().map(|cell| cell.readers.capacity()).sum();
        vec![
            ("tasks", self.tasks.len() as u64),
            ("tree nodes", self.dpst.len() as u64),
            ("graph searches", self.visits.searches),
            ("tasks visited", self.visits.total),
            ("readers kept", readers as u64),
        ]
    }
}

impl LiveDetector for Drdp {
    fn forget(&mut self, location: LocId) {
        self.cells.forget(location);
    }

    fn split(&mut self, location: LocId, new: LocId) {
        self.cells.split(location, new);
    }

    fn take_races(&mut self, races: &mut Vec<Race>) {
        self.findings.take(races);
    }
}
