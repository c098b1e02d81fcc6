//! The async/finish tree as two total orders over steps.
//!
//! English order visits the tree left to right. Hebrew order does, too, but puts an async child
//! after all that follows it in its scope. Of two steps `a` left of `b`, the child of their lowest
//! common ancestor above `a` is an async node exactly if Hebrew order reverses them; so `a`
//! precedes `b` exactly if it is first in both.
//!
//! Insertion is local. `s` is the current step of a task:
//!
//! ```text
//!              English                Hebrew
//! fork         s  child  rest         s  rest  child
//! scope        s  body   after        s  body  after
//! other event  s  rest                s  rest
//! ```
//!
//! Everything that ever happens in `child`, `body` or `rest` is inserted right after steps of its
//! own, hence before the next of these.

use crate::ids::{StepId, TaskId};
use crate::order::OrderList;

/// A join scope; 0 is the implicit one around the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

const NEVER: u32 = 0;

#[derive(Debug)]
struct Task {
    /// The step that runs, or will run when the task is resumed.
    step: StepId,
    parent: Option<TaskId>,
    /// The scope that joins the task.
    joined_by: ScopeId,
    /// The innermost scope open in the task, or the one that joins it.
    innermost: ScopeId,
}

#[derive(Clone, Copy, Debug)]
struct Scope {
    outer: ScopeId,
    /// The step with which the owner goes on after the scope.
    after: StepId,
}

/// The tree; see the module documentation.
#[derive(Debug)]
pub(super) struct Tree {
    english: OrderList,
    hebrew: OrderList,
    /// The task of each step.
    step_task: Vec<TaskId>,
    /// When each step began to run, counted in steps; `NEVER` if it has not. A step that
    /// precedes another began before it.
    began: Vec<u32>,
    clock: u32,
    tasks: Vec<Task>,
    scopes: Vec<Scope>,
    /// The labels of the current step, so that a query loads only those of the other.
    current_english: u64,
    current_hebrew: u64,
}

impl Tree {
    pub(super) fn new() -> Self {
        let root = ScopeId(0);
        let first = StepId(0);
        let mut tree = Self {
            english: OrderList::new(),
            hebrew: OrderList::new(),
            step_task: vec![TaskId::MAIN],
            began: vec![NEVER],
            clock: 0,
            tasks: vec![Task { step: first, parent: None, joined_by: root, innermost: root }],
            scopes: vec![Scope { outer: root, after: first }],
            current_english: 0,
            current_hebrew: 0,
        };
        tree.resume(TaskId::MAIN);
        tree
    }

    /// The step that a task is in.
    pub(super) fn current(&self, task: TaskId) -> StepId {
        self.tasks[task.index()].step
    }

    /// Makes a task's step the current one and returns it.
    pub(super) fn resume(&mut self, task: TaskId) -> StepId {
        let step = self.tasks[task.index()].step;
        let began = &mut self.began[step.index()];
        if *began == NEVER {
            self.clock += 1;
            *began = self.clock;
        }
        self.current_english = self.english.label(step.0);
        self.current_hebrew = self.hebrew.label(step.0);
        step
    }

    /// A new step after the given ones in English and in Hebrew order.
    fn insert(&mut self, english: StepId, hebrew: StepId, task: TaskId) -> StepId {
        let step = self.english.insert_after(english.0);
        let same = self.hebrew.insert_after(hebrew.0);
        debug_assert_eq!(step, same);
        self.step_task.push(task);
        self.began.push(NEVER);
        StepId(step)
    }

    /// Ends the current step of the current task and begins its next one.
    pub(super) fn next_step(&mut self, task: TaskId) -> StepId {
        let step = self.current(task);
        self.tasks[task.index()].step = self.insert(step, step, task);
        self.resume(task)
    }

    /// Adds a child task. Neither the child nor the rest of the parent has begun to run.
    pub(super) fn fork(&mut self, parent: TaskId, child: TaskId) {
        debug_assert_eq!(child.index(), self.tasks.len(), "tasks arrive in order of their ids");
        let step = self.current(parent);
        let rest = self.insert(step, step, parent);
        // English: step, first, rest. Hebrew: step, rest, first.
        let first = self.insert(step, rest, child);
        let scope = self.tasks[parent.index()].innermost;
        self.tasks[parent.index()].step = rest;
        self.tasks.push(Task {
            step: first,
            parent: Some(parent),
            joined_by: scope,
            innermost: scope,
        });
    }

    /// Opens a scope in a task; the step in it has not begun to run.
    pub(super) fn begin_scope(&mut self, task: TaskId) {
        let step = self.current(task);
        let body = self.insert(step, step, task);
        let after = self.insert(body, body, task);
        let state = &mut self.tasks[task.index()];
        state.step = body;
        let outer = std::mem::replace(&mut state.innermost, ScopeId(self.scopes.len() as u32));
        self.scopes.push(Scope { outer, after });
    }

    /// Leaves the innermost scope of a task; the step after it has not begun to run.
    pub(super) fn end_scope(&mut self, task: TaskId) -> ScopeId {
        let state = &mut self.tasks[task.index()];
        let ended = state.innermost;
        let Scope { outer, after } = self.scopes[ended.index()];
        state.innermost = outer;
        state.step = after;
        ended
    }

    /// The scope that joins a task.
    pub(super) fn scope_of(&self, task: TaskId) -> ScopeId {
        self.tasks[task.index()].joined_by
    }

    pub(super) fn parent(&self, task: TaskId) -> Option<TaskId> {
        self.tasks[task.index()].parent
    }

    pub(super) fn task(&self, step: StepId) -> TaskId {
        self.step_task[step.index()]
    }

    /// Whether a step that ran before comes, through the tree, before the current one.
    #[inline]
    pub(super) fn precedes_current(&self, earlier: StepId, current: StepId) -> bool {
        debug_assert_eq!(self.current_english, self.english.label(current.0));
        earlier == current
            || (self.hebrew.label(earlier.0) < self.current_hebrew
                && self.english.label(earlier.0) < self.current_english)
    }

    /// Whether a step is another or comes before it through the tree.
    #[inline]
    pub(super) fn precedes_or_is(&self, a: StepId, b: StepId) -> bool {
        self.english.label(a.0) <= self.english.label(b.0)
            && self.hebrew.label(a.0) <= self.hebrew.label(b.0)
    }

    #[inline]
    pub(super) fn english(&self, step: StepId) -> u64 {
        self.english.label(step.0)
    }

    #[inline]
    pub(super) fn hebrew(&self, step: StepId) -> u64 {
        self.hebrew.label(step.0)
    }

    /// Whether a step has begun to run.
    pub(super) fn has_begun(&self, step: StepId) -> bool {
        self.began[step.index()] != NEVER
    }

    /// When a step began to run.
    #[inline]
    pub(super) fn began(&self, step: StepId) -> u32 {
        self.began[step.index()]
    }

    pub(super) fn tasks(&self) -> usize {
        self.tasks.len()
    }

    pub(super) fn steps(&self) -> usize {
        self.step_task.len()
    }

    pub(super) fn relabelled(&self) -> u64 {
        self.english.relabelled() + self.hebrew.relabelled()
    }
}
