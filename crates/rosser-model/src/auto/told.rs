//! Task events, told to an engine as the runtime tells them.
//!
//! For the engine a new task is current at once, while an executor may go on with the parent. So before
//! anything else happens the engine is told who really is current. When nothing is parallel any more, the
//! region ends, as in a checked program.
//!
//! A task that begins right after its elder sibling has ended, joined by the same scope, may be told as the next item
//! of a parallel loop. So the end of a task is told only when it is known what comes next.

use rosser_detect::order::ScopeNumber;
use rosser_detect::order::general::TaskNumber;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::running::Frame;
use rosser_detect::serial::switching::SetPoint;
use rosser_detect::storage::Exhausted;
use rosser_detect::{Event, PromiseId, TaskId};

/// Whatever the engine is told about places in the source.
const SOMEWHERE: u32 = 1;

/// A task: its number, as long as it has not ended, and the innermost scope that is open in it, or the one
/// that joins it.
#[derive(Clone, Copy, Debug)]
struct Task {
    number: TaskNumber,
    innermost: ScopeNumber,
    parent: TaskId,
}

/// What an engine was told so far, by the names of the events.
#[derive(Debug)]
pub(crate) struct Told {
    current: TaskId,
    /// Whether siblings are told as items of a loop.
    items: bool,
    /// A task has ended, and the engine has not been told.
    ended: Option<TaskId>,
    tasks: Vec<Task>,
    /// The scope around each, by number.
    outer: Vec<ScopeNumber>,
    promises: Vec<SetPoint>,
    regions: u64,
}

impl Told {
    /// Nothing but that the main task runs.
    pub(crate) fn new() -> Self {
        Self {
            current: TaskId::MAIN,
            items: false,
            ended: None,
            tasks: vec![Task { number: 0, innermost: 0, parent: TaskId::MAIN }],
            outer: Vec::new(),
            promises: Vec::new(),
            regions: 0,
        }
    }

    /// The same, with siblings told as items of loops.
    pub(crate) fn with_items() -> Self {
        Self { items: true, ..Self::new() }
    }

    /// The task that is current for the executor.
    pub(crate) fn current(&self) -> TaskId {
        self.current
    }

    /// How many tasks there were.
    pub(crate) fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// How many regions have ended. Everything in them precedes what follows.
    pub(crate) fn regions(&self) -> u64 {
        self.regions
    }

    /// Whether the engine takes another task for current than the given one, which is about to do something.
    pub(crate) fn differs(&self, engine: &Engine, task: TaskId) -> bool {
        self.ended.is_some() || engine.current() != self.tasks[task.index()].number
    }

    /// Tells who is current: to be called before whatever else the current task does.
    pub(crate) fn settle(&mut self, engine: &mut Engine) -> Result<(), Exhausted> {
        if self.ended.take().is_some() {
            engine.task_end()?;
        }
        engine.task_switch(self.tasks[self.current.index()].number)
    }

    /// Tells of an event, unless it is one of locks or semaphores.
    pub(crate) fn event(&mut self, engine: &mut Engine, event: Event) -> Result<(), Exhausted> {
        match event {
            Event::Switch { to } if self.ended.is_some_and(|ended| self.parent_of(ended) == to) => {
                self.current = to;
                return Ok(());
            }
            Event::Fork { child, .. } if self.is_next_item(engine) => {
                return self.next_item(engine, child);
            }
            Event::Switch { .. } => {}
            _ => self.settle(engine)?,
        }
        match event {
            Event::Fork { child, .. } => {
                debug_assert_eq!(child.index(), self.tasks.len(), "tasks arrive in order of ids");
                let innermost = self.task().innermost;
                let number = engine.task_begin(1, SOMEWHERE, innermost)?;
                self.tasks.push(Task { number, innermost, parent: self.current });
            }
            Event::Switch { to } => {
                self.current = to;
                self.settle(engine)?;
            }
            Event::End if self.current != TaskId::MAIN => {
                if self.items && !engine.is_general() {
                    self.ended = Some(self.current);
                } else {
                    engine.task_end()?;
                }
            }
            Event::ScopeBegin { .. } => {
                let scope = engine.scope_begin()?;
                let outer = std::mem::replace(&mut self.task().innermost, scope);
                put(&mut self.outer, scope as usize, outer);
            }
            Event::ScopeEnd { .. } => {
                let ended = self.task().innermost;
                self.task().innermost = self.outer[ended as usize];
                engine.scope_end(ended)?;
                self.rest(engine);
            }
            Event::Set { promise } => {
                let point = engine.promise_set(SOMEWHERE)?;
                put(&mut self.promises, promise.index(), point);
            }
            Event::Get { promise } => {
                engine.promise_get(self.set_point(promise), SOMEWHERE)?;
                self.rest(engine);
            }
            Event::End
            | Event::Block
            | Event::Acquire { .. }
            | Event::Release { .. }
            | Event::Signal { .. }
            | Event::Await { .. } => {}
        }
        Ok(())
    }

    fn parent_of(&self, task: TaskId) -> TaskId {
        self.tasks[task.index()].parent
    }

    /// Whether a task that the current one forks follows right after another.
    fn is_next_item(&self, engine: &Engine) -> bool {
        self.ended.is_some_and(|ended| {
            let joins = engine.frame().map(Frame::scope);
            self.parent_of(ended) == self.current
                && joins == Some(self.tasks[self.current.index()].innermost)
        })
    }

    fn next_item(&mut self, engine: &mut Engine, child: TaskId) -> Result<(), Exhausted> {
        debug_assert_eq!(child.index(), self.tasks.len(), "tasks arrive in order of ids");
        self.ended = None;
        if !engine.next_item_quickly(SOMEWHERE) {
            engine.next_item_slowly(1, SOMEWHERE)?;
        }
        let innermost = self.task().innermost;
        let number = engine.current();
        self.tasks.push(Task { number, innermost, parent: self.current });
        Ok(())
    }

    fn task(&mut self) -> &mut Task {
        &mut self.tasks[self.current.index()]
    }

    fn set_point(&self, promise: PromiseId) -> SetPoint {
        self.promises[promise.index()]
    }

    /// Ends the region if nothing is parallel any more.
    fn rest(&mut self, engine: &mut Engine) {
        if engine.is_quiet() {
            engine.end_region();
            self.regions += 1;
        }
    }
}

/// Writes into a vector that grows as needed.
pub(super) fn put<T: Copy + Default>(table: &mut Vec<T>, index: usize, value: T) {
    if table.len() <= index {
        table.resize(index + 1, T::default());
    }
    table[index] = value;
}
