//! The running tasks and open scopes.

use crate::order::ScopeNumber;
use crate::order::general::TaskNumber;
use crate::serial::log::{Id, Log, Site, TaskTag};
use crate::serial::weak::Knowledge;
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

impl Frame {
    /// How the task came about.
    pub fn tag(&self) -> TaskTag {
        self.tag
    }

    /// Which scope joins it.
    pub fn scope(&self) -> ScopeNumber {
        self.scope
    }

    /// Where it was spawned.
    pub fn site(&self) -> Site {
        self.site
    }
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

/// The running tasks and open scopes: stacks, as long as execution is depth-first; then tables with holes.
#[derive(Debug)]
pub(crate) struct Running {
    /// The running tasks, outermost first; once the order is general, in any order, with holes.
    pub(crate) frames: Stack<Frame>,
    /// The open scopes, likewise.
    pub(crate) scopes: Stack<Scope>,
    /// The first hole in either, or 0.
    pub(crate) free_frame: TaskNumber,
    pub(crate) free_scope: ScopeNumber,
    /// How many of the topmost frames have nothing in the log yet.
    pub(crate) unlogged: usize,
    /// The beginning of the outermost running task, if it is in the log.
    pub(crate) outermost: Id,
    /// Whether the last task to end has done something. Then the next is logged when it begins: that
    /// costs less than in the middle of its first access.
    pub(crate) logs_tasks: bool,
    /// How many tasks have begun.
    pub(crate) begun: u64,
    /// In how many steps something was logged.
    pub(crate) steps: u64,
}

impl Running {
    pub(crate) fn new(frames: &'static mut [Frame], scopes: &'static mut [Scope]) -> Self {
        Self {
            frames: Stack::new(frames),
            scopes: Stack::new(scopes),
            free_frame: 0,
            free_scope: 0,
            unlogged: 0,
            outermost: Id::MAX,
            logs_tasks: false,
            begun: 0,
            steps: 0,
        }
    }

    /// Logs the beginnings of running tasks that have nothing in the log yet.
    #[inline]
    pub(crate) fn log(&mut self, log: &mut Log) -> Result<(), Exhausted> {
        let frames = self.frames.as_mut_slice();
        let logged = frames.len() - self.unlogged;
        for frame in &mut frames[logged..] {
            frame.begin = log.begin(frame.tag, frame.site)?;
        }
        self.outermost = frames[0].begin;
        self.unlogged = 0;
        Ok(())
    }

    /// Forgets all tasks and scopes, in the middle of what they do.
    pub(crate) fn abandon(&mut self) {
        self.frames.clear();
        self.scopes.clear();
        self.unlogged = 0;
        self.outermost = Id::MAX;
        (self.free_frame, self.free_scope) = (0, 0);
    }

    /// Forgets what tasks have left to scopes that they were joined by.
    pub(crate) fn forget_known(&mut self) {
        for scope in self.scopes.as_mut_slice() {
            scope.known = 0;
        }
    }

    /// Ids have new numbers.
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
    }

    /// The running task with this number; none for the main task.
    #[inline]
    pub(crate) fn frame(&self, number: TaskNumber) -> Option<&Frame> {
        self.frames.as_slice().get((number as usize).wrapping_sub(1))
    }

    /// The running task with this number; none for the main task.
    #[inline]
    pub(crate) fn frame_mut(&mut self, number: TaskNumber) -> Option<&mut Frame> {
        self.frames.as_mut_slice().get_mut((number as usize).wrapping_sub(1))
    }

    /// The open scope with this number.
    pub(crate) fn scope(&self, number: ScopeNumber) -> Option<&Scope> {
        self.scopes.as_slice().get((number as usize).wrapping_sub(1))
    }

    /// Gives a task a number, which may have been another's; `freed_before` is which number was freed before that one.
    pub(crate) fn place_frame(
        &mut self,
        frame: Frame,
        freed_before: impl FnOnce(TaskNumber) -> TaskNumber,
    ) -> Result<TaskNumber, Exhausted> {
        if self.free_frame == 0 {
            self.frames.push(frame)?;
            return Ok(self.frames.len());
        }
        let number = self.free_frame;
        self.free_frame = freed_before(number);
        self.frames[number - 1] = frame;
        Ok(number)
    }

    /// Makes holes of the numbers between two scopes.
    pub(crate) fn fill_hole(&mut self, outer: ScopeNumber, inner: ScopeNumber) {
        let from = if outer == 0 { 0 } else { self.scopes[outer - 1].from };
        for number in outer + 1..inner {
            self.scopes[number - 1] = Scope::hole(from);
        }
    }
}
