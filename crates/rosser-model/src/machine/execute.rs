//! One instruction of one task.

use rosser_detect::{Access, Event, LockId, TaskId};

use super::{Machine, Observer, Progress, RuntimeError, Value};
use crate::program::Op;

impl Machine<'_> {
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
        observer.statement(site, &self.tasks[task.index()].locals);
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
                let block = self.allocate_array(task, length, site)?;
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
            Op::Accumulate(None, value, place, operator) => {
                let access = Access::Update(*operator);
                self.accumulate(task, value, place, access, site, observer)?;
            }
            Op::Accumulate(Some(slot), value, place, operator) => {
                let access = Access::Fetch(*operator);
                let old = self.accumulate(task, value, place, access, site, observer)?;
                self.bind(task, *slot, Value::Int(old));
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
            Op::Fork { kind, body, captured, handle } => {
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
            Op::BeginIsolated => observer.event(Event::Acquire { lock: LockId::ISOLATED }, site),
            Op::EndIsolated => observer.event(Event::Release { lock: LockId::ISOLATED }, site),
            Op::NewPromise(slot) => {
                let promise = self.new_promise(task, site, false);
                self.bind(task, *slot, Value::Promise(promise));
            }
            Op::Set(slot) => return self.set(task, *slot, site, observer),
            Op::Get(slot) => self.get(task, *slot, site, observer)?,
            Op::NewSemaphore(slot, count) => {
                let semaphore = self.new_semaphore(task, count, site)?;
                self.bind(task, *slot, Value::Semaphore(semaphore));
            }
            Op::Wait(slot) => self.wait_semaphore(task, *slot, site, observer)?,
            Op::Signal(slot) => return self.signal(task, *slot, site, observer),
            Op::Print(value) => {
                let value = self.eval(task, value, site)?;
                self.output.push((task, value.to_string()));
            }
            Op::End => return self.end(task, site, observer),
        }
        Ok(Progress::Ran)
    }
}
