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
//!
//! While execution is depth-first, `rest`, `body` and `after` are *put off*: they are inserted only
//! when something is accessed in them, right before what followed `s` at the time of the event.
//! English order then only ever grows at its end, and needs no relabelling; and a step in which
//! nothing happens, as between the forks of a loop, is never made. That is right because all that
//! comes before them has been inserted by then. When execution leaves the depth-first order, that
//! is no longer sure: everything put off is inserted at once, innermost first, and nothing is put
//! off any more.

use crate::ids::{StepId, TaskId};
use crate::order::{Near, OrderList};

/// A join scope; 0 is the implicit one around the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

const NEVER: u32 = 0;
/// Up to so many children get a large share of the labels.
const FEW: u8 = 4;

#[derive(Clone, Copy, Debug)]
struct Task {
    /// The step that runs, or the last one that did.
    step: StepId,
    /// How many tasks it has forked in its innermost scope, counted up to `FEW`.
    forks: u8,
    /// After a fork or a scope's beginning or end: the step in which it will go on.
    rest: Option<Later>,
    parent: Option<TaskId>,
    /// The scope that joins the task.
    joined_by: ScopeId,
    /// The innermost scope open in the task, or the one that joins it.
    innermost: ScopeId,
}

#[derive(Clone, Copy, Debug)]
struct Scope {
    outer: ScopeId,
    /// The step with which the owner will go on.
    after: Later,
}

/// A step that is still to begin.
#[derive(Clone, Copy, Debug)]
enum Later {
    /// It has been inserted.
    Step(StepId),
    /// It will be inserted before these, or at the end.
    PutOff { english: Option<u32>, hebrew: Option<u32> },
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
    /// Whether steps are put off.
    depth_first: bool,
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
            tasks: vec![Task {
                step: first,
                forks: 0,
                rest: None,
                parent: None,
                joined_by: root,
                innermost: root,
            }],
            scopes: vec![Scope { outer: root, after: Later::Step(first) }],
            depth_first: true,
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

    /// Whether a task's next step is still to begin.
    pub(super) fn is_pending(&self, task: TaskId) -> bool {
        self.tasks[task.index()].rest.is_some()
    }

    /// Whether a task has been in its step before.
    pub(super) fn has_begun(&self, task: TaskId) -> bool {
        self.began[self.current(task).index()] != NEVER
    }

    /// Makes a task's step the current one and returns it.
    pub(super) fn resume(&mut self, task: TaskId) -> StepId {
        if let Some(rest) = self.tasks[task.index()].rest.take() {
            let step = self.insert_later(rest, task);
            self.tasks[task.index()].step = step;
        }
        let step = self.current(task);
        let began = &mut self.began[step.index()];
        if *began == NEVER {
            self.clock += 1;
            *began = self.clock;
        }
        self.current_english = self.english.label(step.0);
        self.current_hebrew = self.hebrew.label(step.0);
        step
    }

    /// Notes the step just inserted into both orders.
    fn add(&mut self, english: u32, hebrew: u32, task: TaskId) -> StepId {
        debug_assert_eq!(english, hebrew, "both orders have the same elements");
        self.step_task.push(task);
        self.began.push(NEVER);
        StepId(english)
    }

    fn insert_later(&mut self, later: Later, task: TaskId) -> StepId {
        match later {
            Later::Step(step) => step,
            Later::PutOff { english, hebrew } => {
                let english = self.english.insert_before(english, Near::Before);
                let hebrew = self.hebrew.insert_before(hebrew, Near::Before);
                self.add(english, hebrew, task)
            }
        }
    }

    /// Ends the current step of the current task and begins its next one.
    pub(super) fn next_step(&mut self, task: TaskId) -> StepId {
        let step = self.current(task);
        let english = self.english.insert_after(step.0, Near::Before);
        let hebrew = self.hebrew.insert_after(step.0, Near::Before);
        self.tasks[task.index()].step = self.add(english, hebrew, task);
        self.resume(task)
    }

    /// Where the next step of a task goes.
    fn place(&self, task: TaskId) -> Later {
        let Task { step, rest, .. } = self.tasks[task.index()];
        match rest.unwrap_or(Later::Step(step)) {
            Later::Step(step) => self.after(step),
            put_off @ Later::PutOff { .. } => put_off,
        }
    }

    /// The place right after a step.
    fn after(&self, step: StepId) -> Later {
        Later::PutOff {
            english: self.english.successor(step.0),
            hebrew: self.hebrew.successor(step.0),
        }
    }

    /// Adds a child task, which has not begun to run, and ends the parent's step.
    pub(super) fn fork(&mut self, parent: TaskId, child: TaskId) {
        debug_assert_eq!(child.index(), self.tasks.len(), "tasks arrive in order of their ids");
        let Task { innermost, forks, .. } = self.tasks[parent.index()];
        // Of few children each may be the root of a large part of the tree; of many, not all.
        let near = if forks < FEW { Near::AfterWithRoom } else { Near::After };
        self.tasks[parent.index()].forks = (forks + 1).min(FEW);
        let Later::PutOff { english: after, hebrew } = self.place(parent) else {
            unreachable!("a place is never a step");
        };
        let english = self.english.insert_before(after, Near::Before);
        // The parent's rest will come before it.
        let hebrew = self.hebrew.insert_before(hebrew, near);
        let first = self.add(english, hebrew, child);
        let rest = Later::PutOff { english: after, hebrew: Some(first.0) };
        self.tasks[parent.index()].rest = Some(self.put_off(rest, parent));
        self.tasks.push(Task {
            step: first,
            forks: 0,
            rest: None,
            parent: Some(parent),
            joined_by: innermost,
            innermost,
        });
    }

    /// Opens a scope in a task and ends its step.
    pub(super) fn begin_scope(&mut self, task: TaskId) {
        let place = self.place(task);
        let body = self.put_off(place, task);
        // Put off or not, what comes after the scope comes after the body.
        let after = match body {
            Later::PutOff { .. } => body,
            Later::Step(step) => self.put_off(self.after(step), task),
        };
        let state = &mut self.tasks[task.index()];
        state.rest = Some(body);
        state.forks = 0;
        let outer = std::mem::replace(&mut state.innermost, ScopeId(self.scopes.len() as u32));
        self.scopes.push(Scope { outer, after });
    }

    /// Leaves the innermost scope of a task and ends its step.
    pub(super) fn end_scope(&mut self, task: TaskId) -> ScopeId {
        let ended = self.tasks[task.index()].innermost;
        let Scope { outer, after } = self.scopes[ended.index()];
        let state = &mut self.tasks[task.index()];
        state.innermost = outer;
        state.rest = Some(after);
        ended
    }

    /// Leaves a step for later if that is right, or inserts it.
    fn put_off(&mut self, later: Later, task: TaskId) -> Later {
        if self.depth_first { later } else { Later::Step(self.insert_later(later, task)) }
    }

    /// Execution leaves the depth-first order while it is in the given task. All tasks that have
    /// begun and not ended are this one and its ancestors; what they put off is inserted, what is
    /// innermost first.
    #[cold]
    pub(super) fn leave_depth_first(&mut self, task: TaskId) {
        if !std::mem::replace(&mut self.depth_first, false) {
            return;
        }
        let mut next = Some(task);
        while let Some(task) = next {
            let Task { rest, parent, joined_by, mut innermost, .. } = self.tasks[task.index()];
            if let Some(rest) = rest {
                let step = self.insert_later(rest, task);
                self.tasks[task.index()].rest = Some(Later::Step(step));
            }
            while innermost != joined_by {
                let Scope { outer, after } = self.scopes[innermost.index()];
                let step = self.insert_later(after, task);
                self.scopes[innermost.index()].after = Later::Step(step);
                innermost = outer;
            }
            next = parent;
        }
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
