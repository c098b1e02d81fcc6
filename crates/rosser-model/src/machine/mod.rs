//! The abstract machine: shared memory, tasks, scopes, promises, semaphores.
//!
//! [`Machine::step`] executes one instruction of one task and tells an [`Observer`] what happened.
//! Which task goes next is somebody else's decision: [`crate::serial`] runs depth-first with
//! cooperative switching, [`crate::explore`] takes every order. An instruction that cannot go on
//! yet changes nothing and says so; it is simply tried again.

mod error;
mod footprint;
mod value;

use rosser_core::{
    Access, Event, LocId, LockId, Operator, PromiseId, SiteId, TaskId, TaskKind, TokenId,
};

pub use error::RuntimeError;
pub use footprint::{Footprint, Pending};
pub use value::{BlockId, SemaphoreId, Value};

use crate::program::{Expr, Op, Opened, Pc, Place, Program, Slot};
use crate::syntax::ast::BinaryOp;

/// How many shared cells a program may allocate in all.
const MEMORY_LIMIT: usize = 1 << 26;

/// Hears what an execution does.
pub trait Observer {
    /// The current task executes an instruction.
    fn statement(&mut self, _site: SiteId) {}
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
            scopes: vec![Scope {
                owner: TaskId::MAIN,
                running: 1,
            }],
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

    /// A promise's state.
    pub fn promise(&self, promise: PromiseId) -> &Promise {
        &self.promises[promise.index()]
    }

    /// Who made a semaphore, and which of its makings it is.
    pub fn semaphore_maker(&self, semaphore: SemaphoreId) -> (TaskId, u32) {
        self.semaphores[semaphore.0 as usize].made_by
    }

    /// Who opened a scope.
    pub fn scope_owner(&self, scope: ScopeId) -> TaskId {
        self.scopes[scope.0 as usize].owner
    }

    /// The scope that joins a task, if all tasks in it have ended.
    pub fn emptied_scope(&self, ended: TaskId) -> Option<ScopeId> {
        let scope = self.tasks[ended.index()].joined_by;
        (self.scopes[scope.0 as usize].running == 0).then_some(scope)
    }

    /// The allocation that holds a location, and the location's index in it.
    pub fn locate(&self, location: LocId) -> (&Allocation, u32) {
        let after = self
            .blocks
            .partition_point(|block| block.base <= location.0);
        // Empty arrays share their base with what follows; the last one that starts here or
        // before and is not empty holds the location.
        let block = self.blocks[..after]
            .iter()
            .rev()
            .find(|block| block.length > 0)
            .expect("every location was allocated");
        (block, location.0 - block.base)
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
            Op::Sync
                if state
                    .open
                    .last()
                    .is_some_and(|open| open.opened == Opened::Spawn) =>
            {
                self.wait_for_innermost(state)
            }
            _ => None,
        }
    }

    fn wait_for_innermost(&self, state: &Task) -> Option<Wait> {
        let scope = state.open.last()?.scope;
        (self.scopes[scope.0 as usize].running > 0).then_some(Wait::Scope(scope))
    }

    /// Executes the next instruction of a task that has not ended.
    pub fn step(
        &mut self,
        task: TaskId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        if let Some(wait) = self.wait(task) {
            return Ok(Progress::Blocked(wait));
        }
        let site = self.next_site(task);
        let program = self.program;
        self.tasks[task.index()].pc += 1;
        observer.statement(site);
        match &program.ops[site.index()] {
            Op::Assign(slot, value) => {
                let value = self.eval(task, value, site)?;
                self.bind(task, *slot, value);
            }
            Op::Alloc(slot) => {
                let block = self.allocate(task, 1, false, site)?;
                self.bind(task, *slot, Value::Cell(block));
            }
            Op::Array(slot, length) => {
                let length = self.eval_int(task, length, site)?;
                let length = usize::try_from(length)
                    .map_err(|_| RuntimeError::NegativeLength { length, site })?;
                let block = self.allocate(task, length, true, site)?;
                self.bind(task, *slot, Value::Array(block));
            }
            Op::Load(slot, place) => {
                let location = self.locate_place(task, place, site)?;
                observer.access(location, Access::Read, site);
                let value = self.memory[location.index()];
                self.bind(task, *slot, value);
            }
            Op::Store(value, place) => {
                let value = self.eval(task, value, site)?;
                let location = self.locate_place(task, place, site)?;
                observer.access(location, Access::Write, site);
                self.memory[location.index()] = value;
            }
            Op::Accumulate(value, place, operator) => {
                self.accumulate(task, value, place, *operator, site, observer)?;
            }
            Op::JumpIfLoadedZero(place, target) => {
                let location = self.locate_place(task, place, site)?;
                observer.access(location, Access::Read, site);
                if self.memory[location.index()].as_int(site)? == 0 {
                    self.tasks[task.index()].pc = *target;
                }
            }
            Op::JumpIfZero(condition, target) => {
                if self.eval_int(task, condition, site)? == 0 {
                    self.tasks[task.index()].pc = *target;
                }
            }
            Op::Jump(target) => self.tasks[task.index()].pc = *target,
            Op::Fork {
                kind,
                body,
                captured,
                handle,
            } => {
                let child = self.fork(task, *kind, *body, *captured, site, observer);
                if let Some(slot) = handle {
                    let promise = self.tasks[child.index()].promise.expect("a future has one");
                    self.bind(task, *slot, Value::Future(promise));
                }
                return Ok(Progress::Forked(child));
            }
            Op::BeginScope(opened) => self.open_scope(task, *opened, site, observer),
            Op::EndScope(opened) => self.end_scope(task, *opened, site, observer)?,
            Op::Sync => self.sync(task, site, observer)?,
            Op::BeginIsolated => observer.event(
                Event::Acquire {
                    lock: LockId::ISOLATED,
                },
                site,
            ),
            Op::EndIsolated => observer.event(
                Event::Release {
                    lock: LockId::ISOLATED,
                },
                site,
            ),
            Op::NewPromise(slot) => {
                let promise = self.new_promise(task, site, false);
                self.bind(task, *slot, Value::Promise(promise));
            }
            Op::Set(slot) => return self.set(task, *slot, site, observer),
            Op::Get(slot) => match self.local(task, *slot) {
                Value::Promise(promise) | Value::Future(promise) => {
                    observer.event(Event::Get { promise }, site);
                }
                found => {
                    return Err(RuntimeError::NotAPromise {
                        found: found.describe(),
                        site,
                    });
                }
            },
            Op::NewSemaphore(slot, count) => {
                let initial = self.eval_int(task, count, site)?;
                let initial = u32::try_from(initial).map_err(|_| RuntimeError::BadCount {
                    count: initial,
                    site,
                })?;
                let semaphore = SemaphoreId(self.semaphores.len() as u32);
                let made_by = (task, self.next_ordinal(task));
                self.semaphores.push(Semaphore {
                    initial,
                    waits: 0,
                    signals: Vec::new(),
                    made_by,
                });
                self.bind(task, *slot, Value::Semaphore(semaphore));
            }
            Op::Wait(slot) => self.wait_semaphore(task, *slot, site, observer)?,
            Op::Signal(slot) => {
                let semaphore = self.semaphore(task, *slot, site)?;
                let token = TokenId(self.tokens);
                self.tokens += 1;
                self.semaphores[semaphore.0 as usize].signals.push(token);
                observer.event(Event::Signal { token }, site);
                return Ok(Progress::Signalled(semaphore));
            }
            Op::Print(value) => {
                let value = self.eval(task, value, site)?;
                self.output.push((task, value.to_string()));
            }
            Op::End => return self.end(task, site, observer),
        }
        Ok(Progress::Ran)
    }

    /// The value of a local of a task that has not ended.
    pub(crate) fn local(&self, task: TaskId, slot: Slot) -> Value {
        self.tasks[task.index()].locals[slot.0 as usize]
    }

    fn bind(&mut self, task: TaskId, slot: Slot, value: Value) {
        let locals = &mut self.tasks[task.index()].locals;
        let index = slot.0 as usize;
        if locals.len() <= index {
            locals.resize(index + 1, Value::Int(0));
        }
        locals[index] = value;
    }

    fn next_ordinal(&mut self, task: TaskId) -> u32 {
        let state = &mut self.tasks[task.index()];
        state.allocations += 1;
        state.allocations - 1
    }

    fn allocate(
        &mut self,
        task: TaskId,
        length: usize,
        is_array: bool,
        site: SiteId,
    ) -> Result<BlockId, RuntimeError> {
        let base = self.memory.len();
        if length > MEMORY_LIMIT - base {
            return Err(RuntimeError::OutOfMemory {
                limit: MEMORY_LIMIT,
                site,
            });
        }
        self.memory.resize(base + length, Value::Int(0));
        let made_by = (task, self.next_ordinal(task));
        let (base, length) = (base as u32, length as u32);
        self.blocks.push(Allocation {
            base,
            length,
            is_array,
            made_by,
            site,
        });
        Ok(BlockId(self.blocks.len() as u32 - 1))
    }

    fn locate_place(
        &self,
        task: TaskId,
        place: &Place,
        site: SiteId,
    ) -> Result<LocId, RuntimeError> {
        match (self.local(task, place.base), &place.index) {
            (Value::Cell(block), None) => Ok(LocId(self.blocks[block.0 as usize].base)),
            (Value::Array(block), Some(index)) => {
                let index = self.eval_int(task, index, site)?;
                let block = &self.blocks[block.0 as usize];
                match u32::try_from(index) {
                    Ok(index) if index < block.length => Ok(LocId(block.base + index)),
                    _ => Err(RuntimeError::OutOfRange {
                        index,
                        length: block.length,
                        site,
                    }),
                }
            }
            (Value::Array(_), None) => Err(RuntimeError::MissingIndex { site }),
            (Value::Cell(_), Some(_)) => Err(RuntimeError::NotAnArray { site }),
            (other, _) => Err(RuntimeError::NotShared {
                found: other.describe(),
                site,
            }),
        }
    }

    fn accumulate(
        &mut self,
        task: TaskId,
        value: &Expr,
        place: &Place,
        operator: Operator,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        let value = self.eval_int(task, value, site)?;
        let location = self.locate_place(task, place, site)?;
        observer.access(location, Access::Update(operator), site);
        let old = self.memory[location.index()].as_int(site)?;
        let new = match operator {
            Operator::Add => old.wrapping_add(value),
            Operator::Mul => old.wrapping_mul(value),
            Operator::And => old & value,
            Operator::Or => old | value,
            Operator::Xor => old ^ value,
            Operator::Min => old.min(value),
            Operator::Max => old.max(value),
            Operator::Sub => old.wrapping_sub(value),
            Operator::Div if value == 0 => return Err(RuntimeError::DivisionByZero { site }),
            Operator::Div => old.wrapping_div(value),
        };
        self.memory[location.index()] = Value::Int(new);
        Ok(())
    }

    fn fork(
        &mut self,
        parent: TaskId,
        kind: TaskKind,
        body: Pc,
        captured: u32,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> TaskId {
        let top = self.tasks[parent.index()].open.last();
        if kind == TaskKind::Spawn && top.is_none_or(|open| open.opened != Opened::Spawn) {
            self.open_scope(parent, Opened::Spawn, site, observer);
        }
        let child = TaskId::from_index(self.tasks.len());
        let promise = (kind == TaskKind::Future).then(|| self.new_promise(parent, site, true));
        let state = &mut self.tasks[parent.index()];
        let joined_by = state.open.last().map_or(state.joined_by, |open| open.scope);
        let ordinal = state.children;
        state.children += 1;
        let captured = (captured as usize).min(state.locals.len());
        let locals = state.locals[..captured].to_vec();
        self.scopes[joined_by.0 as usize].running += 1;
        self.tasks.push(Task {
            pc: body,
            locals,
            joined_by,
            open: Vec::new(),
            promise,
            ended: false,
            parent: Some(parent),
            kind,
            site,
            ordinal,
            children: 0,
            allocations: 0,
        });
        observer.event(Event::Fork { child, kind }, site);
        child
    }

    fn open_scope(
        &mut self,
        task: TaskId,
        opened: Opened,
        site: SiteId,
        observer: &mut impl Observer,
    ) {
        let scope = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope {
            owner: task,
            running: 0,
        });
        self.tasks[task.index()].open.push(OpenScope {
            scope,
            opened,
            site,
        });
        observer.event(
            Event::ScopeBegin {
                kind: opened.kind(),
            },
            site,
        );
    }

    /// Closes the innermost scope. An open sync block inside a finish is closed first, by the same
    /// instruction, which is then executed once more.
    fn end_scope(
        &mut self,
        task: TaskId,
        opened: Opened,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        match self.tasks[task.index()].open.last() {
            Some(open) if open.opened == opened => self.close_innermost(task, site, observer),
            Some(open) if open.opened == Opened::Spawn => {
                self.close_innermost(task, site, observer);
                self.tasks[task.index()].pc = site.0;
            }
            Some(open) if open.opened == Opened::Begin => {
                return Err(RuntimeError::StillOpen {
                    began: open.site,
                    site,
                });
            }
            _ => return Err(RuntimeError::NothingToEnd { site }),
        }
        Ok(())
    }

    fn close_innermost(&mut self, task: TaskId, site: SiteId, observer: &mut impl Observer) {
        let open = self.tasks[task.index()]
            .open
            .pop()
            .expect("the caller looked");
        observer.event(
            Event::ScopeEnd {
                kind: open.opened.kind(),
            },
            site,
        );
    }

    fn sync(
        &mut self,
        task: TaskId,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        let open = &self.tasks[task.index()].open;
        match open.last() {
            Some(top) if top.opened == Opened::Spawn => {
                self.close_innermost(task, site, observer);
            }
            Some(top) => {
                let is_implicit = matches!(self.next_op(task), Op::End);
                if is_implicit && top.opened == Opened::Begin {
                    return Err(RuntimeError::StillOpen {
                        began: top.site,
                        site,
                    });
                }
                if let Some(spawned) = open.iter().find(|open| open.opened == Opened::Spawn) {
                    return Err(RuntimeError::SyncAcrossFinish {
                        spawned: spawned.site,
                        site,
                    });
                }
            }
            None => {}
        }
        Ok(())
    }

    fn new_promise(&mut self, task: TaskId, site: SiteId, is_future: bool) -> PromiseId {
        let promise = PromiseId::from_index(self.promises.len());
        let made_by = (task, self.next_ordinal(task));
        self.promises.push(Promise {
            set_at: None,
            made_by,
            made_at: site,
            is_future,
        });
        promise
    }

    fn set(
        &mut self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        let promise = match self.local(task, slot) {
            Value::Promise(promise) => promise,
            Value::Future(_) => return Err(RuntimeError::SetOfFuture { site }),
            other => {
                return Err(RuntimeError::NotAPromise {
                    found: other.describe(),
                    site,
                });
            }
        };
        if let Some(first) = self.promises[promise.index()].set_at {
            return Err(RuntimeError::SecondSet { first, site });
        }
        self.promises[promise.index()].set_at = Some(site);
        observer.event(Event::Set { promise }, site);
        Ok(Progress::SetPromise(promise))
    }

    fn semaphore(
        &self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
    ) -> Result<SemaphoreId, RuntimeError> {
        match self.local(task, slot) {
            Value::Semaphore(semaphore) => Ok(semaphore),
            other => Err(RuntimeError::NotASemaphore {
                found: other.describe(),
                site,
            }),
        }
    }

    /// The n-th wait is paired with the n-th signal once the initial count is used up.
    fn wait_semaphore(
        &mut self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        let semaphore = self.semaphore(task, slot, site)?;
        let state = &mut self.semaphores[semaphore.0 as usize];
        if let Some(number) = state.waits.checked_sub(state.initial) {
            let token = state.signals[number as usize];
            observer.event(Event::Await { token }, site);
        }
        state.waits += 1;
        Ok(())
    }

    fn end(
        &mut self,
        task: TaskId,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        let state = &mut self.tasks[task.index()];
        if let Some(open) = state.open.last() {
            return Err(RuntimeError::StillOpen {
                began: open.site,
                site,
            });
        }
        state.ended = true;
        state.locals = Vec::new();
        let (promise, joined_by) = (state.promise, state.joined_by);
        if let Some(promise) = promise {
            self.promises[promise.index()].set_at = Some(site);
            observer.event(Event::Set { promise }, site);
        }
        self.scopes[joined_by.0 as usize].running -= 1;
        observer.event(Event::End, site);
        Ok(Progress::Ended(promise))
    }

    fn eval_int(&self, task: TaskId, expr: &Expr, site: SiteId) -> Result<i64, RuntimeError> {
        self.eval(task, expr, site)?.as_int(site)
    }

    fn eval(&self, task: TaskId, expr: &Expr, site: SiteId) -> Result<Value, RuntimeError> {
        Ok(match expr {
            Expr::Int(value) => Value::Int(*value),
            Expr::Local(slot) => self.local(task, *slot),
            Expr::Negate(inner) => Value::Int(self.eval_int(task, inner, site)?.wrapping_neg()),
            Expr::Binary(op, left, right) => {
                let left = self.eval_int(task, left, site)?;
                let right = self.eval_int(task, right, site)?;
                Value::Int(match op {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Sub => left.wrapping_sub(right),
                    BinaryOp::Mul => left.wrapping_mul(right),
                    BinaryOp::Eq => (left == right).into(),
                    BinaryOp::Ne => (left != right).into(),
                    BinaryOp::Lt => (left < right).into(),
                    BinaryOp::Le => (left <= right).into(),
                    BinaryOp::Gt => (left > right).into(),
                    BinaryOp::Ge => (left >= right).into(),
                })
            }
        })
    }
}
