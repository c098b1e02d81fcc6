//! A program, run with the library's tasks.
//!
//! Tasks have values for locals, each its own; what they share is the [`Memory`], promises and futures.
//! Everything here is instrumented, so a conflict in the interpreter's own memory would be heard of,
//! too. There is none: bodies and locals belong to one task at a time.

use expected::{Act, Body, Gets, Opening, Operand, Pc, Plan, Script, Slot};
use rosser::{
    Finish, Future, Procedure, Promise, Setter, SharedFuture, Spawned, finish, isolated, procedure,
};

use crate::memory::Memory;

/// What all tasks of a program share.
pub struct Program<'p> {
    pub plan: &'p Plan,
    pub script: &'p Script,
    pub memory: &'p Memory,
    pub promises: &'p [Promise<u64>],
}

/// What a local is bound to.
enum Value {
    Int(i64),
    Location(usize),
    Promise(usize),
    /// A future that is got once, by the task that has it.
    Future(Future<Box<u64>>, Pc),
    SharedFuture(SharedFuture<u64>, Pc),
}

/// A task.
struct Task {
    pc: Pc,
    locals: Vec<Value>,
}

/// Where tasks are started.
#[derive(Clone, Copy)]
enum Handle<'a, 'scope> {
    Finish(&'a Finish<'scope>),
    Procedure(&'a Procedure<'scope>),
    Rayon(&'a rayon_core::Scope<'scope>),
    Nowhere,
}

/// What the instructions being executed are the inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Task,
    Scope,
    /// A scope that the first spawn has opened.
    SyncBlock,
    Isolated,
}

/// Why the instructions of an inside are not executed further.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The task has ended.
    Ended,
    /// The next instruction closes a scope.
    AtClose,
    /// The next instruction is a sync.
    AtSync,
    /// The isolated section is over.
    Isolated,
    /// The run is over.
    Stopped,
}

/// Whether an instruction has been executed.
enum Passed {
    No,
    Yes,
    /// It is where the inside is left.
    And(Left),
}

/// A child of a procedure.
type Child<'a, 'scope> = Spawned<'a, 'scope, Box<u64>>;

/// Runs a program.
pub fn run(program: &Program) {
    let mut main = Task { pc: 0, locals: Vec::new() };
    if program.plan.main == Opening::Procedure {
        procedure(|p| program.run(&mut main, Handle::Procedure(p), None, Inside::Task));
    } else {
        finish(|s| program.run(&mut main, Handle::Finish(s), None, Inside::Task));
    }
}

impl Task {
    fn bind(&mut self, slot: Slot, value: Value) {
        while self.locals.len() <= slot {
            self.locals.push(Value::Int(0));
        }
        self.locals[slot] = value;
    }

    fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Int(value) => value,
            Operand::Local(slot) => match self.locals[slot] {
                Value::Int(value) => value,
                _ => unreachable!("only integers are computed with"),
            },
        }
    }

    fn location(&self, slot: Slot) -> usize {
        match self.locals[slot] {
            Value::Location(location) => location,
            _ => unreachable!("only locations are accessed"),
        }
    }

    /// A child with the locals that it sees. A future that is got once goes to the one who gets it.
    fn child(&mut self, body: Body, plan: &Plan) -> Self {
        let captured = self.locals.iter_mut().take(body.captured).enumerate();
        let locals = captured.map(|(slot, value)| match value {
            Value::Int(value) => Value::Int(*value),
            Value::Location(location) => Value::Location(*location),
            Value::Promise(promise) => Value::Promise(*promise),
            Value::SharedFuture(future, made_at) => Value::SharedFuture(future.clone(), *made_at),
            Value::Future(..) if plan.gets(body, slot) => std::mem::replace(value, Value::Int(0)),
            Value::Future(..) => Value::Int(0),
        });
        Self { pc: body.start, locals: locals.collect() }
    }
}

impl Program<'_> {
    /// Executes the instructions of a task until they leave what they are inside of. `far` is the scope
    /// around it.
    fn run<'far: 'scope, 'scope>(
        &'far self,
        task: &mut Task,
        handle: Handle<'_, 'scope>,
        far: Option<&Finish<'far>>,
        inside: Inside,
    ) -> Left {
        let Self { plan, script, memory, .. } = self;
        let mut spawned = Vec::new();
        loop {
            let pc = task.pc;
            let act = plan.act(pc);
            match self.pass(act, task, handle, far, inside, &mut spawned) {
                Passed::No => {}
                Passed::Yes => continue,
                Passed::And(left) => return left,
            }
            if !script.next(pc) {
                return Left::Stopped;
            }
            task.pc += 1;
            match act {
                Act::Alloc(slot, location) => task.bind(slot, Value::Location(location)),
                Act::Load(slot, from) => {
                    let value = memory.load(task.location(from), script);
                    task.bind(slot, Value::Int(value));
                }
                Act::Store(value, to) => {
                    memory.store(task.location(to), task.value(value), script);
                }
                Act::Accumulate(value, to, operator) => {
                    memory.accumulate(task.location(to), task.value(value), operator, script);
                }
                Act::Fetch(slot, value, to, operator) => {
                    let value = task.value(value);
                    let old = memory.fetch(task.location(to), value, operator, script);
                    task.bind(slot, Value::Int(old));
                }
                Act::JumpIfZero(condition, target) => {
                    if task.value(condition) == 0 {
                        task.pc = target;
                    }
                }
                Act::Async(body) => {
                    let child = task.child(body, plan);
                    task.pc = body.after;
                    self.start(child, handle);
                }
                Act::Far(body) => {
                    let child = task.child(body, plan);
                    self.start(child, Handle::Finish(far.expect("planned so")));
                }
                Act::Spawn(body) => {
                    let mut child = task.child(body, plan);
                    task.pc = body.after;
                    if let Handle::Procedure(p) = handle {
                        let value = p.spawn(move |p| {
                            self.run(&mut child, Handle::Procedure(p), None, Inside::Task);
                            Box::new(u64::from(pc))
                        });
                        spawned.push((pc, value));
                    } else {
                        self.start(child, handle);
                    }
                }
                Act::Future(body, slot, gets) => {
                    let child = task.child(body, plan);
                    task.pc = body.after;
                    task.bind(slot, self.future(child, handle, gets, pc));
                }
                Act::Open(opening) => {
                    let left = self.open(opening, task, handle);
                    if left != Left::AtClose {
                        return left;
                    }
                    task.pc += 1;
                }
                Act::BeginIsolated => {
                    let left = isolated(|| self.run(task, Handle::Nowhere, None, Inside::Isolated));
                    if left != Left::Isolated {
                        return left;
                    }
                }
                Act::EndIsolated => return Left::Isolated,
                Act::NewPromise(slot, promise) => task.bind(slot, Value::Promise(promise)),
                Act::FutureComes => {}
                Act::Set(slot, with_setter) => self.set(task, slot, with_setter),
                Act::FutureIsThere => return Left::Ended,
                Act::Jump(_) | Act::Get(_) | Act::Sync | Act::Close | Act::End => {
                    unreachable!("done above")
                }
            }
        }
    }

    /// Executes what may have to wait, and what happens at the ends of blocks. Both are noted when the
    /// waiting is over, if at all.
    fn pass<'a, 'far: 'scope, 'scope>(
        &'far self,
        act: Act,
        task: &mut Task,
        handle: Handle<'a, 'scope>,
        far: Option<&Finish<'far>>,
        inside: Inside,
        spawned: &mut Vec<(Pc, Child<'a, 'scope>)>,
    ) -> Passed {
        if self.script.is_stopped() {
            return Passed::And(Left::Stopped);
        }
        match (act, handle) {
            (Act::Jump(target), _) => task.pc = target,
            (Act::Close, _) => return Passed::And(Left::AtClose),
            (Act::End, _) => return Passed::And(Left::Ended),
            (Act::Get(slot), _) => {
                self.get(task, slot);
                if !self.script.next(task.pc) {
                    return Passed::And(Left::Stopped);
                }
                task.pc += 1;
            }
            (Act::Sync, _) if inside == Inside::SyncBlock => return Passed::And(Left::AtSync),
            (Act::Sync, Handle::Procedure(p)) => {
                p.sync();
                for (pc, child) in spawned.drain(..) {
                    self.check(*child.take(), pc);
                }
                task.pc += 1;
            }
            (Act::Sync, _) => task.pc += 1,
            (Act::Spawn(_), Handle::Finish(s)) if inside != Inside::SyncBlock => {
                let scope = s.begin();
                let left = self.run(task, Handle::Finish(&scope), far, Inside::SyncBlock);
                scope.end();
                match left {
                    Left::AtSync => task.pc += 1,
                    Left::AtClose => {}
                    other => return Passed::And(other),
                }
            }
            _ => return Passed::No,
        }
        Passed::Yes
    }

    /// Starts a task that somebody waits for.
    fn start<'scope>(&'scope self, mut child: Task, handle: Handle<'_, 'scope>) {
        match handle {
            Handle::Finish(s) => s.spawn(move |s| {
                self.run(&mut child, Handle::Finish(s), None, Inside::Task);
            }),
            Handle::Rayon(s) => s.spawn(move |s| {
                self.run(&mut child, Handle::Rayon(s), None, Inside::Task);
            }),
            Handle::Procedure(_) | Handle::Nowhere => unreachable!("planned otherwise"),
        }
    }

    /// Starts a task whose value is wanted.
    fn future<'scope>(
        &'scope self,
        mut child: Task,
        handle: Handle<'_, 'scope>,
        gets: Gets,
        pc: Pc,
    ) -> Value {
        let Handle::Finish(s) = handle else { unreachable!("planned otherwise") };
        if gets == Gets::One {
            let future = s.spawn_future(move |s| {
                self.run(&mut child, Handle::Finish(s), None, Inside::Task);
                Box::new(u64::from(pc))
            });
            Value::Future(future, pc)
        } else {
            let future = s.spawn_future(move |s| {
                self.run(&mut child, Handle::Finish(s), None, Inside::Task);
                u64::from(pc)
            });
            Value::SharedFuture(future.share(), pc)
        }
    }

    /// Runs what is inside a scope, and waits for its tasks.
    fn open<'scope>(
        &'scope self,
        opening: Opening,
        task: &mut Task,
        handle: Handle<'_, 'scope>,
    ) -> Left {
        let far = if let Handle::Finish(s) = handle { Some(s) } else { None };
        match opening {
            Opening::Finish => finish(|s| self.run(task, Handle::Finish(s), far, Inside::Scope)),
            Opening::Procedure => {
                procedure(|p| self.run(task, Handle::Procedure(p), far, Inside::Scope))
            }
            Opening::Begin => {
                let Handle::Finish(s) = handle else { unreachable!("planned otherwise") };
                let scope = s.begin();
                let left = self.run(task, Handle::Finish(&scope), far, Inside::Scope);
                scope.end();
                left
            }
            Opening::RayonScope => {
                rayon_core::scope(|s| self.run(task, Handle::Rayon(s), far, Inside::Scope))
            }
            Opening::RayonJoin => {
                let Act::Async(body) = self.plan.act(task.pc) else {
                    unreachable!("planned otherwise")
                };
                if !self.script.next(task.pc) {
                    return Left::Stopped;
                }
                let mut child = task.child(body, self.plan);
                task.pc = body.after;
                let (_, left) = rayon_core::join(
                    || self.run(&mut child, Handle::Nowhere, None, Inside::Task),
                    || self.run(task, Handle::Nowhere, far, Inside::Scope),
                );
                left
            }
        }
    }

    fn set(&self, task: &Task, slot: Slot, with_setter: bool) {
        let Value::Promise(number) = task.locals[slot] else {
            unreachable!("only promises are set")
        };
        let promise = &self.promises[number];
        if with_setter {
            Setter::new(promise).set(number as u64);
        } else {
            promise.set(number as u64);
        }
    }

    fn get(&self, task: &mut Task, slot: Slot) {
        let pc = task.pc;
        match &mut task.locals[slot] {
            Value::Promise(number) => {
                let value = *self.promises[*number].get();
                if value != *number as u64 {
                    self.script.wrong_value(pc);
                }
            }
            Value::SharedFuture(future, made_at) => self.check(*future.get(), *made_at),
            Value::Future(..) => {
                let future = std::mem::replace(&mut task.locals[slot], Value::Int(0));
                let Value::Future(future, made_at) = future else { unreachable!("it is one") };
                self.check(*future.get(), made_at);
            }
            Value::Int(_) | Value::Location(_) => unreachable!("only promises are got"),
        }
    }

    /// The value of a future, or of a child, is the place where it was made.
    fn check(&self, value: u64, made_at: Pc) {
        if value != u64::from(made_at) {
            self.script.wrong_value(made_at);
        }
    }
}
