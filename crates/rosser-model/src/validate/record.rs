//! A random run, recorded as an execution.

use rosser_detect::{Access, Event, LocId, LockId, SiteId, TaskId};
use rosser_validate::{Act, Execution, Flag, Group, Lock, Ordering, Semaphore, Site, Thread, Word};

use crate::fuzz::Rng;
use crate::machine::{Footprint, Machine, Observer, RuntimeError, Value};
use crate::program::{Op, Program};

/// An accumulation orders nothing.
const RELAXED: Ordering = Ordering { acquire: false, release: false };

/// Which accesses make up an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// Each access is one.
    Access,
    /// Consecutive accesses of a task to one variable or array are one.
    #[default]
    Object,
    /// All that a task does between two synchronisations is one.
    Segment,
}

/// How a recorded run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Every task ended.
    Finished,
    /// The rest waits for ever.
    Deadlock,
    /// A statement failed.
    Failed(RuntimeError),
    /// The limit of instructions was reached.
    StepLimit,
}

/// A recorded run.
#[derive(Debug)]
pub struct Recorded<'p> {
    /// The machine after it.
    pub machine: Machine<'p>,
    /// What happened.
    pub execution: Execution,
    /// How it ended.
    pub ended: Ended,
}

/// Runs a program in random order, until nothing can go on, a statement fails, or the limit is reached.
pub fn record<'p>(program: &'p Program, view: View, rng: &mut Rng, max_steps: u64) -> Recorded<'p> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::default();
    let mut current = TaskId::MAIN;
    let mut isolated = false;
    for _ in 0..max_steps {
        let can_run = |task: &TaskId| !machine.has_ended(*task) && machine.wait(*task).is_none();
        let goes_on = isolated || (can_run(&current) && rng.chance(2, 3));
        if !goes_on {
            let tasks = (0..machine.tasks().len()).map(TaskId::from_index);
            let ready: Vec<TaskId> = tasks.filter(can_run).collect();
            if ready.is_empty() {
                let all = machine.tasks().len();
                let finished = (0..all).all(|task| machine.has_ended(TaskId::from_index(task)));
                let ended = if finished { Ended::Finished } else { Ended::Deadlock };
                return Recorded { machine, execution: recorder.execution, ended };
            }
            current = *rng.pick(&ready);
        }
        match machine.next_op(current) {
            Op::BeginIsolated => isolated = true,
            Op::EndIsolated => isolated = false,
            _ => {}
        }
        if let Err(error) = recorder.step(&mut machine, current, view) {
            return Recorded {
                machine,
                execution: recorder.execution,
                ended: Ended::Failed(error),
            };
        }
    }
    Recorded { machine, execution: recorder.execution, ended: Ended::StepLimit }
}

/// The thread that stands for a task.
pub(super) fn thread_of(task: TaskId) -> Thread {
    Thread(task.0)
}

/// The task that a thread stands for.
pub(super) fn task_of(thread: Thread) -> TaskId {
    TaskId(thread.0)
}

/// What one step told.
#[derive(Default)]
struct Told {
    events: Vec<Event>,
    access: Option<(LocId, Access)>,
}

impl Observer for Told {
    fn event(&mut self, event: Event, _: SiteId) {
        self.events.push(event);
    }

    fn access(&mut self, location: LocId, access: Access, _: SiteId) {
        self.access = Some((location, access));
    }
}

#[derive(Default)]
struct Recorder {
    execution: Execution,
    /// For each task its open scopes, innermost last.
    open: Vec<Vec<usize>>,
    /// For each scope the tasks that it joins.
    joined: Vec<Vec<TaskId>>,
    /// For each task the scope that joins it.
    joined_by: Vec<Option<usize>>,
    accesses: u32,
}

impl Recorder {
    fn step(
        &mut self,
        machine: &mut Machine<'_>,
        task: TaskId,
        view: View,
    ) -> Result<(), RuntimeError> {
        let site = machine.next_site(task);
        let semaphore = match machine.footprint(task) {
            Some(Footprint::Wait(semaphore)) => Some(Act::Wait(Semaphore(semaphore.0))),
            Some(Footprint::Signal(semaphore)) => Some(Act::Signal(Semaphore(semaphore.0))),
            _ => None,
        };
        let found = match machine.footprint(task) {
            Some(Footprint::Memory(location, _)) => value(machine.memory()[location.index()]),
            _ => None,
        };
        let mut told = Told::default();
        let stepped = machine.step(task, &mut told);
        while self.execution.semaphores().len() < machine.semaphore_count() {
            let next = self.execution.semaphores().len();
            self.execution.semaphore(machine.semaphore_initial(next));
        }
        if let Some((location, access)) = told.access {
            let left = value(machine.memory()[location.index()]);
            let value = match access {
                Access::Read => found,
                Access::Write => left,
                _ => None,
            };
            self.accesses += 1;
            let group = match view {
                View::Access => self.accesses,
                View::Object => machine.locate(location).0.base,
                View::Segment => 0,
            };
            let word = Word(location.0.into());
            let act = match access {
                // Who sees the old value reads and writes at once.
                Access::Fetch(_) => Act::Atomic { word, found, left, ordering: RELAXED },
                _ => Act::Access { word, access, value },
            };
            self.push(task, act, site, group);
        }
        stepped?;
        if let Some(act) = semaphore {
            self.push(task, act, site, 0);
        }
        for event in told.events {
            self.event(task, event, site);
        }
        Ok(())
    }

    fn push(&mut self, task: TaskId, act: Act, site: SiteId, group: u32) {
        self.execution.push(thread_of(task), act, Site(site.0), Group(group));
    }

    fn event(&mut self, task: TaskId, event: Event, site: SiteId) {
        let highest = match event {
            Event::Fork { child, .. } => child.max(task),
            _ => task,
        };
        if self.open.len() <= highest.index() {
            self.open.resize(highest.index() + 1, Vec::new());
            self.joined_by.resize(highest.index() + 1, None);
        }
        let lock = |lock: LockId| Lock(lock.0.into());
        let act = match event {
            Event::Fork { child, .. } => {
                let scope = self.open[task.index()].last().copied();
                let scope = scope.or(self.joined_by[task.index()]);
                self.joined_by[child.index()] = scope;
                if let Some(scope) = scope {
                    self.joined[scope].push(child);
                }
                Act::Fork(thread_of(child))
            }
            Event::ScopeBegin { .. } => {
                self.open[task.index()].push(self.joined.len());
                self.joined.push(Vec::new());
                return;
            }
            Event::ScopeEnd { .. } => {
                let scope = self.open[task.index()].pop().expect("scopes nest");
                for child in std::mem::take(&mut self.joined[scope]) {
                    self.push(task, Act::Join(thread_of(child)), site, 0);
                }
                return;
            }
            Event::Set { promise } => Act::Set(Flag(promise.0.into())),
            Event::Get { promise } => Act::Get(Flag(promise.0.into())),
            Event::Acquire { lock: it } => Act::Acquire { lock: lock(it), shared: false },
            Event::Release { lock: it } => Act::Release(lock(it)),
            // The footprint has told of semaphores, whether a signal was needed or not.
            Event::Signal { .. }
            | Event::Await { .. }
            | Event::Switch { .. }
            | Event::Block
            | Event::End => return,
        };
        self.push(task, act, site, 0);
    }
}

/// A value that is the same number in every schedule.
fn value(value: Value) -> Option<u64> {
    match value {
        Value::Int(number) => Some(number.cast_unsigned()),
        _ => None,
    }
}
