//! The abstract machine: shared memory, tasks, scopes, promises, semaphores.
//!
//! [`Machine::step`] executes one instruction of one task and tells an [`Observer`] what happened.
//! Which task goes next is somebody else's decision: [`crate::serial`] runs depth-first with
//! cooperative switching, [`crate::explore`] takes every order. An instruction that cannot go on
//! yet changes nothing and says so; it is simply tried again.

mod error;
mod execute;
mod footprint;
mod memory;
mod signals;
mod state;
mod tasks;
mod value;

use rosser_detect::{Access, Event, LocId, PromiseId, SiteId, TaskId, TaskKind, TokenId};

pub use error::RuntimeError;
pub use footprint::{Footprint, Pending};
pub use value::{BlockId, SemaphoreId, Value};

use crate::program::{Op, Opened, Pc, Program};

/// Hears what an execution does.
pub trait Observer {
    /// The current task executes an instruction, with the given locals before it.
    fn statement(&mut self, _site: SiteId, _locals: &[Value]) {}
    /// The current task did something that concerns synchronisation.
    fn event(&mut self, event: Event, site: SiteId);
    /// The current task touched a location.
    fn access(&mut self, location: LocId, access: Access, site: SiteId);
}

/// Hears nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event, _: SiteId) {}
    fn access(&mut self, _: LocId, _: Access, _: SiteId) {}
}

/// What came of trying an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The task went on.
    Ran,
    /// The task went on and started another.
    Forked(TaskId),
    /// The task went on after setting a promise.
    SetPromise(PromiseId),
    /// The task went on after signalling a semaphore.
    Signalled(SemaphoreId),
    /// The task cannot go on yet, and nothing changed.
    Blocked(Wait),
    /// The task has ended; if it was a future, its promise is set.
    Ended(Option<PromiseId>),
}

/// What a task waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Wait {
    /// The set of a promise, or the end of a future's task.
    Promise(PromiseId),
    /// The tasks of a scope.
    Scope(ScopeId),
    /// A semaphore's signal.
    Semaphore(SemaphoreId),
}

/// A join scope, by index; 0 is the implicit one around the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

#[derive(Clone, Debug)]
struct Scope {
    owner: TaskId,
    /// How many tasks in it have not ended.
    running: u32,
}

#[derive(Clone, Copy, Debug)]
struct OpenScope {
    scope: ScopeId,
    opened: Opened,
    site: SiteId,
}

/// A task's state.
#[derive(Clone, Debug)]
pub struct Task {
    pc: Pc,
    locals: Vec<Value>,
    joined_by: ScopeId,
    open: Vec<OpenScope>,
    promise: Option<PromiseId>,
    ended: bool,
    /// Who started it, and where; main has neither.
    pub parent: Option<TaskId>,
    /// What kind of statement started it.
    pub kind: TaskKind,
    /// The instruction that started it.
    pub site: SiteId,
    /// Which child of its parent it is.
    pub ordinal: u32,
    children: u32,
    allocations: u32,
}

/// A promise's state.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Where it was set.
    pub set_at: Option<SiteId>,
    /// Who made it, and which of its makings it is.
    pub made_by: (TaskId, u32),
    /// Where it was made.
    pub made_at: SiteId,
    /// Whether it stands for a future.
    pub is_future: bool,
}

#[derive(Clone, Debug)]
struct Semaphore {
    initial: u32,
    waits: u32,
    signals: Vec<TokenId>,
    made_by: (TaskId, u32),
    made_at: SiteId,
}

/// A shared variable or array.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// The first cell.
    pub base: u32,
    /// How many cells.
    pub length: u32,
    /// Whether it is an array.
    pub is_array: bool,
    /// Who allocated it, and which of its allocations it is.
    pub made_by: (TaskId, u32),
    /// The instruction that allocated it.
    pub site: SiteId,
}

/// The machine; see the module documentation.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    memory: Vec<Value>,
    blocks: Vec<Allocation>,
    tasks: Vec<Task>,
    scopes: Vec<Scope>,
    promises: Vec<Promise>,
    semaphores: Vec<Semaphore>,
    tokens: u32,
    output: Vec<(TaskId, String)>,
}

impl<'p> Machine<'p> {
    /// A machine at the start of a program.
    pub fn new(program: &'p Program) -> Self {
        let main = Task {
            pc: 0,
            locals: Vec::new(),
            joined_by: ScopeId(0),
            open: Vec::new(),
            promise: None,
            ended: false,
            parent: None,
            kind: TaskKind::Async,
            site: SiteId(0),
            ordinal: 0,
            children: 0,
            allocations: 0,
        };
        Self {
            program,
            memory: Vec::new(),
            blocks: Vec::new(),
            tasks: vec![main],
            scopes: vec![Scope { owner: TaskId::MAIN, running: 1 }],
            promises: Vec::new(),
            semaphores: Vec::new(),
            tokens: 0,
            output: Vec::new(),
        }
    }

    /// The program that runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// All tasks, by id.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Whether a task has ended.
    pub fn has_ended(&self, task: TaskId) -> bool {
        self.tasks[task.index()].ended
    }

    /// The instruction that a task executes next.
    pub fn next_site(&self, task: TaskId) -> SiteId {
        SiteId(self.tasks[task.index()].pc)
    }

    /// The next instruction of a task.
    pub fn next_op(&self, task: TaskId) -> &'p Op {
        &self.program.ops[self.tasks[task.index()].pc as usize]
    }

    /// Every allocation.
    pub fn allocations(&self) -> &[Allocation] {
        &self.blocks
    }

    /// The contents of shared memory, by location.
    pub fn memory(&self) -> &[Value] {
        &self.memory
    }

    /// Everything printed, with who printed it.
    pub fn output(&self) -> &[(TaskId, String)] {
        &self.output
    }

    /// What the task waits for, if its next instruction cannot go on.
    pub fn wait(&self, task: TaskId) -> Option<Wait> {
        let state = &self.tasks[task.index()];
        match self.next_op(task) {
            Op::Get(slot) => match state.locals.get(slot.0 as usize)? {
                Value::Promise(promise) | Value::Future(promise) => {
                    let is_set = self.promises[promise.index()].set_at.is_some();
                    (!is_set).then_some(Wait::Promise(*promise))
                }
                _ => None,
            },
            Op::Wait(slot) => match state.locals.get(slot.0 as usize)? {
                Value::Semaphore(semaphore) => {
                    let state = &self.semaphores[semaphore.0 as usize];
                    let available = u64::from(state.initial) + state.signals.len() as u64;
                    (available <= u64::from(state.waits)).then_some(Wait::Semaphore(*semaphore))
                }
                _ => None,
            },
            Op::EndScope(_) => self.wait_for_innermost(state),
            Op::Sync if state.open.last().is_some_and(|open| open.opened == Opened::Spawn) => {
                self.wait_for_innermost(state)
            }
            _ => None,
        }
    }
}
