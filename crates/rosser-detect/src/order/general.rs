//! The order of tasks that wait for promises: tree, joins, and where every task is.
//!
//! Tasks have numbers and run in any order; the one that runs is *current*. A task's place is its
//! step in the tree and its head in the joins, which is what it has learnt from
//! promises. That is all it takes to answer whether an earlier access precedes: the step of the
//! access does so by the tree, or reaches the head.
//!
//! Steps are equivalence classes for later questions. A fork ends the step, because the child must be
//! told from what the parent does next; so does a set. A get does not: what came before it and what
//! comes after have the same successors, and what precedes is asked with the new head. Beginnings of
//! scopes do not, either.
//!
//! * A task costs two steps of 32 bytes, two words of the log, and its state while it runs; a scope
//!   one step; a set 24 bytes, a word of the log, and a step if its task does anything else; a get
//!   that orders anything 40 bytes, which tasks that know the same share; a step that touches
//!   anything a run of 12 bytes. All of it is kept until the region ends.
//! * Events take O(log n) amortised, for the insertions into two ordered lists; sets and gets O(1)
//!   but for that.
//! * A query is a bisection for the step and two comparisons of labels. If they do not decide and the
//!   task has got any promise, see `joins.rs`.

use super::joins::{Head, JoinStorage, Joins, Point};
use super::list::Link;
use super::runs::{Run, Runs};
use super::spans::ScopeNumber;
use super::tree::{ROOT, Step, Tree};
use crate::serial::log::{Id, Site};
use crate::serial::weak::Knowledge;
use crate::storage::{Exhausted, Stack};

/// A running task; 0 is the main one.
pub type TaskNumber = u32;

/// A promise was got.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Get {
    /// The set, as an id; 0 is none.
    pub set: Id,
    /// Where it was got.
    pub site: Site,
}

/// How many gets of a running task are remembered for reports.
pub const GETS: usize = 3;

/// Where a task is.
#[derive(Clone, Copy, Default, Debug)]
pub struct Task {
    step: Step,
    head: Head,
    /// The head it began with.
    inherited: Head,
    /// The innermost scope that is open in it, or the one that joins it.
    innermost: ScopeNumber,
    joined_by: ScopeNumber,
    /// Who started or resumed it, and goes on when it waits or ends. Of a free number: the next one.
    pub(crate) below: TaskNumber,
    /// What it had acquired when it was put aside.
    pub(crate) known: Knowledge,
    /// The last promises it got, the newest first.
    pub(crate) gets: [Get; GETS],
    /// How many tasks it has forked in its innermost scope, up to a few.
    forks: u8,
    /// Whether the tree does not say that it precedes the end of its scope: the scope is further out
    /// than the innermost of its parent, or its parent is such a task and joins the same one.
    is_outsider: bool,
    /// Whether its step has ended and the next one not begun.
    is_between: bool,
}

/// An open scope.
#[derive(Clone, Copy, Default, Debug)]
pub struct Scope {
    /// The step with which its owner will go on.
    after: Step,
    /// The scope around it. Of a free number: the next one. Of an abandoned scope: its heir.
    pub(crate) outer: ScopeNumber,
    owner: TaskNumber,
    /// What the tasks have learnt that ended in it.
    head: Head,
    /// How many ended in it.
    ended: u32,
    /// Whether its owner has ended without ending it.
    is_abandoned: bool,
}

/// The memory that it needs.
#[derive(Debug)]
pub struct GeneralStorage {
    /// One for each step: about two for each task, one for each scope, one for each set.
    pub english: &'static mut [Link],
    /// As many links for the Hebrew order.
    pub hebrew: &'static mut [Link],
    /// One for each step that has touched anything.
    pub runs: &'static mut [Run],
    /// One for each set, and each release.
    pub points: &'static mut [Point],
    /// One for each running task.
    pub tasks: &'static mut [Task],
    /// One for each open scope.
    pub scopes: &'static mut [Scope],
    /// One for each task that no scope joins.
    pub loose: &'static mut [Step],
    /// For promises that are got.
    pub joins: JoinStorage,
}

/// How large the parts have become.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many steps there are.
    pub steps: u32,
    /// Labels changed so far.
    pub relabelled: u64,
    /// How many runs of ids there are.
    pub runs: u32,
    /// Points that joins can start from.
    pub points: u32,
    /// How many joins there are.
    pub joins: u32,
    /// Bytes in sets of sources.
    pub frontier_bytes: usize,
}

/// The general order.
#[derive(Debug)]
pub struct General {
    pub(super) tree: Tree,
    pub(crate) joins: Joins,
    pub(super) runs: Runs,
    points: Stack<Point>,
    pub(crate) tasks: Stack<Task>,
    pub(crate) scopes: Stack<Scope>,
    /// The current task.
    pub(crate) current: TaskNumber,
    /// How many tasks run or wait, without the main one.
    running: u32,
    /// How many have ended in a scope that has not.
    unjoined: u32,
    /// The last steps of ended tasks that no scope joins, as far as they are not known to precede all
    /// that the main task does.
    loose: Stack<Step>,
}

impl General {
    pub(super) fn new(storage: GeneralStorage) -> Self {
        let GeneralStorage { english, hebrew, runs, points, tasks, scopes, loose, joins } = storage;
        Self {
            tree: Tree::new(english, hebrew),
            joins: Joins::new(joins),
            runs: Runs::new(runs),
            points: Stack::new(points),
            tasks: Stack::new(tasks),
            scopes: Stack::new(scopes),
            current: 0,
            running: 0,
            unjoined: 0,
            loose: Stack::new(loose),
        }
    }

    /// Forgets everything: only the main task is there.
    pub(super) fn clear(&mut self) -> Result<(), Exhausted> {
        self.tree.clear()?;
        self.joins.clear()?;
        self.runs.clear();
        self.points.clear();
        // Number 0 stands for no point and no scope.
        self.points.push(Point::default())?;
        self.scopes.clear();
        self.scopes.push(Scope::default())?;
        self.tasks.clear();
        self.tasks.push(Task { step: self.tree.next(ROOT)?, ..Task::default() })?;
        (self.current, self.running, self.unjoined) = (0, 0, 0);
        self.loose.clear();
        Ok(())
    }

    /// Makes room for so many more of everything.
    pub(crate) fn reserve(&mut self, room: usize) {
        self.tree.reserve(room);
        self.joins.reserve(room);
        self.runs.reserve(room);
        self.points.reserve(room);
        self.tasks.reserve(room);
        self.scopes.reserve(room);
        self.loose.reserve(room);
    }

    fn task(&mut self) -> &mut Task {
        &mut self.tasks[self.current]
    }

    /// The step that a task is in.
    pub(super) fn step(&self, task: TaskNumber) -> Step {
        self.tasks[task].step
    }

    /// Whether nothing is parallel with the main task, and it is current.
    pub(crate) fn is_quiet(&self) -> bool {
        self.current == 0 && self.running == 0 && self.unjoined == 0 && self.loose.is_empty()
    }

    /// How large everything is.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes {
            steps: self.tree.steps(),
            relabelled: self.tree.relabelled(),
            runs: self.runs.len(),
            points: self.points.len(),
            joins: self.joins.len(),
            frontier_bytes: self.joins.frontier_bytes(),
        }
    }

    /// The current task forks another, under a number that is free; `now` is the next id.
    pub(crate) fn fork(
        &mut self,
        child: TaskNumber,
        scope: ScopeNumber,
        now: Id,
    ) -> Result<(), Exhausted> {
        let parent = &mut self.tasks[self.current];
        let (below, joined_by) = (self.current, scope);
        let mut task = Task { below, joined_by, innermost: scope, ..Task::default() };
        if scope == parent.innermost {
            (task.step, parent.step) = self.tree.fork(parent.step, &mut parent.forks)?;
            parent.is_between = false;
            task.head = parent.head;
            task.is_outsider = parent.is_outsider && scope == parent.joined_by;
        } else {
            task.step = self.tree.outsider()?;
            task.is_outsider = true;
            let mut point = Point::new(parent.step, parent.head, now);
            task.head = self.joins.add_source(&self.tree, &mut point, 0, parent.head)?;
            parent.is_between = true;
        }
        task.inherited = task.head;
        if child >= self.tasks.len() {
            self.tasks.set_len(child + 1)?;
        }
        self.tasks[child] = task;
        self.running += 1;
        Ok(())
    }

    /// The current task ends. Returns who goes on, unless the caller knows better.
    pub(crate) fn end(&mut self, now: Id) -> Result<TaskNumber, Exhausted> {
        let task = *self.task();
        self.running -= 1;
        self.leave_to(task.joined_by, &task, now)?;
        Ok(task.below)
    }

    /// The current task is going to end, and has left a scope open: it may have panicked. What has ended
    /// in the scope is joined here; what has not will be by the scope that joins the task. The number
    /// of the scope must not be used again.
    pub(crate) fn abandon_scope(&mut self) -> Result<Option<ScopeNumber>, Exhausted> {
        let Some(number) = self.scope_end()? else { return Ok(None) };
        let heir = self.task().joined_by;
        self.scopes[number] = Scope { outer: heir, is_abandoned: true, ..Scope::default() };
        Ok(Some(number))
    }

    /// The scope that joins the tasks of a scope: itself, unless it was abandoned.
    pub(crate) fn heir_of(&self, scope: ScopeNumber) -> ScopeNumber {
        let mut heir = scope;
        while self.scopes[heir].is_abandoned {
            heir = self.scopes[heir].outer;
        }
        heir
    }

    /// The scope learns what the ended task has learnt. What it inherited, the scope's owner knows.
    fn leave_to(&mut self, scope: ScopeNumber, task: &Task, now: Id) -> Result<(), Exhausted> {
        let heir = self.heir_of(scope);
        if heir == 0 {
            return self.loose.push(task.step);
        }
        self.unjoined += 1;
        let is_outsider = task.is_outsider || heir != scope;
        let scope = &mut self.scopes[heir];
        scope.ended += 1;
        if is_outsider {
            let mut point = Point::new(task.step, task.head, now);
            scope.head = self.joins.add_source(&self.tree, &mut point, scope.head, task.head)?;
        } else if task.head != task.inherited {
            scope.head = self.joins.merge(&self.tree, scope.head, task.head)?;
        }
        Ok(())
    }

    /// A task that has forked and ended since the region began, as far as spans know of it.
    pub(super) fn ended_child(
        &mut self,
        parent: TaskNumber,
        scope: ScopeNumber,
        now: Id,
    ) -> Result<Step, Exhausted> {
        let parent = &mut self.tasks[parent];
        let mut task = Task { joined_by: scope, ..Task::default() };
        if scope == parent.innermost {
            (task.step, parent.step) = self.tree.fork(parent.step, &mut parent.forks)?;
            task.is_outsider = parent.is_outsider && scope == parent.joined_by;
        } else {
            // Nobody will ask what preceded it.
            task.step = self.tree.outsider()?;
            task.is_outsider = true;
        }
        self.leave_to(scope, &task, now)?;
        Ok(task.step)
    }

    /// The current task opens a scope, under a number that is free.
    pub(crate) fn scope_begin(&mut self, number: ScopeNumber) -> Result<(), Exhausted> {
        let owner = self.current;
        let task = &mut self.tasks[owner];
        let after = self.tree.after_scope(task.step)?;
        let outer = std::mem::replace(&mut task.innermost, number);
        task.forks = 0;
        if number >= self.scopes.len() {
            self.scopes.set_len(number + 1)?;
        }
        self.scopes[number] = Scope { after, outer, owner, ..Scope::default() };
        Ok(())
    }

    /// The current task ends its innermost scope, if it has one. Returns its number.
    pub(crate) fn scope_end(&mut self) -> Result<Option<ScopeNumber>, Exhausted> {
        let number = self.task().innermost;
        if number == self.task().joined_by {
            return Ok(None);
        }
        let Scope { after, outer, owner, head, ended, .. } = self.scopes[number];
        debug_assert_eq!(owner, self.current);
        let older = self.task().head;
        let merged = self.joins.merge(&self.tree, older, head)?;
        let head = self.joins.prune(&self.tree, merged, after);
        let task = self.task();
        (task.step, task.head, task.innermost) = (after, head, outer);
        (task.is_between, task.forks) = (false, 0);
        self.unjoined -= ended;
        Ok(Some(number))
    }

    /// The innermost scope that is open in the main task.
    pub(crate) fn innermost_of_main(&self) -> Option<ScopeNumber> {
        Some(self.tasks[0].innermost).filter(|number| *number != 0)
    }

    /// The scope around another.
    pub(crate) fn outer_of(&self, scope: ScopeNumber) -> Option<ScopeNumber> {
        Some(self.scopes[scope].outer).filter(|number| *number != 0)
    }

    /// The present, as a point; `now` is the next id.
    pub(crate) fn point(&mut self, now: Id) -> Result<u32, Exhausted> {
        let Task { step, head, .. } = *self.task();
        self.points.add(Point::new(step, head, now))
    }

    /// The current task sets a promise: what it does from now on is another step. Returns the point.
    pub(crate) fn set(&mut self, now: Id) -> Result<u32, Exhausted> {
        let point = self.point(now)?;
        self.task().is_between = true;
        Ok(point)
    }

    /// The current task gets the promise that was set at a point.
    pub(crate) fn get(&mut self, point: u32) -> Result<(), Exhausted> {
        let Task { step, head, .. } = *self.task();
        let learnt = self.joins.join(&self.tree, &mut self.points[point], head, step)?;
        self.task().head = learnt;
        if self.current == 0 && self.running == 0 {
            self.tie_up();
        }
        Ok(())
    }

    /// The main task, with no other running, has got a promise: forgets the newest loose tasks, as far
    /// as they precede it now. When it has got the last of them, none is left.
    fn tie_up(&mut self) {
        let Task { step: now, head, .. } = self.tasks[0];
        while let Some(&step) = self.loose.as_slice().last() {
            let ended = Run { step, ..Run::default() };
            if !self.precedes(ended, now, head) {
                break;
            }
            self.loose.pop();
        }
    }

    /// The current task, whose beginning is at `task`, is going to get an id: `low`.
    pub(crate) fn begin_run(&mut self, low: Id, task: Id) -> Result<(), Exhausted> {
        let state = &mut self.tasks[self.current];
        if state.is_between {
            state.step = self.tree.next(state.step)?;
            state.is_between = false;
        }
        self.runs.push(Run { low, step: state.step, task })
    }

    /// The run that an id is in: its first id, the one after its last, and whether it is parallel
    /// with the current step. It is an earlier one.
    #[inline(never)]
    pub(crate) fn run_of(&mut self, id: Id) -> (Id, Id, bool) {
        let (run, end) = self.runs.of(id);
        let Task { step, head, .. } = self.tasks[self.current];
        (run.low, end, !self.precedes(run, step, head))
    }

    /// As [`Self::run_of`], but whether it is parallel only if that is plain.
    #[inline(never)]
    pub(crate) fn run_plainly(&mut self, id: Id) -> (Id, Id, Option<bool>) {
        let (run, end) = self.runs.of(id);
        let Task { step, head, .. } = self.tasks[self.current];
        let precedes = if self.tree.precedes_or_is(run.step, step) {
            Some(true)
        } else {
            self.joins.reaches_plainly(&self.tree, run.step, run.low, head)
        };
        (run.low, end, precedes.map(|precedes| !precedes))
    }

    /// The task that an id belongs to, by the id of its beginning.
    pub(crate) fn task_of(&self, id: Id) -> Id {
        self.runs.of(id).0.task
    }

    /// Whether an access, made before the point, preceded it.
    pub(super) fn preceded(&mut self, point: u32, id: Id) -> bool {
        let (run, _) = self.runs.of(id);
        let Point { step, head, .. } = self.points[point];
        self.precedes(run, step, head)
    }

    #[inline]
    fn precedes(&mut self, earlier: Run, step: Step, head: Head) -> bool {
        self.tree.precedes_or_is(earlier.step, step)
            || (head != 0 && self.joins.reaches(&self.tree, earlier.step, earlier.low, head))
    }
}
