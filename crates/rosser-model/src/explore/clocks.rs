//! Which statements of the current schedule come before which, through forks, joins and
//! promises, and through touching the same thing.

use std::rc::Rc;

use rosser_detect::{Access, Event, LocId, Operator, PromiseId, SiteId, TaskId};
use rustc_hash::FxHashMap;

use crate::machine::{Observer, SemaphoreId};

/// Something that the statements of several tasks can touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Object {
    Memory(LocId),
    Semaphore(SemaphoreId),
    Promise(PromiseId),
}

/// How a statement touches an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    Read,
    Write,
    /// Commutes with others of the same commutative operator.
    Update(Operator),
}

impl Touch {
    pub(super) fn of(access: Access) -> Self {
        match access {
            Access::Read | Access::AtomicRead => Self::Read,
            Access::Write | Access::AtomicWrite | Access::Fetch(_) => Self::Write,
            Access::Update(operator) => Self::Update(operator),
        }
    }

    fn depends_on(self, other: Self) -> bool {
        match (self, other) {
            (Self::Read, Self::Read) => false,
            (Self::Update(a), Self::Update(b)) => !a.commutes_with(b),
            _ => true,
        }
    }
}

/// Whether exchanging two choices of different tasks changes nothing.
pub(super) fn independent(one: &[(Object, Touch)], two: &[(Object, Touch)]) -> bool {
    one.iter().all(|(object, touch)| {
        two.iter().all(|(other, past)| object != other || !touch.depends_on(*past))
    })
}

/// For each task, how many choices from the start its last known statement is.
#[derive(Clone, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn get(&self, task: TaskId) -> u32 {
        self.0.get(task.index()).copied().unwrap_or(0)
    }

    fn set(&mut self, task: TaskId, value: u32) {
        if self.0.len() <= task.index() {
            self.0.resize(task.index() + 1, 0);
        }
        self.0[task.index()] = value;
    }

    fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

#[derive(Debug, Default)]
struct Task {
    clock: Clock,
    joined_by: usize,
    open: Vec<usize>,
}

/// A touch in the past.
#[derive(Debug)]
struct Past {
    index: u32,
    task: TaskId,
    touch: Touch,
    clock: Rc<Clock>,
}

/// What was done to an object, oldest first. Reads are apart: no read depends on them.
#[derive(Debug, Default)]
struct History {
    reads: Vec<Past>,
    others: Vec<Past>,
}

impl History {
    fn push(&mut self, past: Past) {
        if past.touch == Touch::Read { &mut self.reads } else { &mut self.others }.push(past);
    }

    /// The touches on which a new one depends, back to the last write. What came before a write is
    /// before it, or was noticed as unordered with it when it was made; unless `all` are wanted.
    fn dependences(&self, touch: Touch, all: bool) -> impl Iterator<Item = &Past> {
        let last_write = self.others.iter().rposition(|past| past.touch == Touch::Write);
        let last_write = last_write.filter(|_| !all);
        let from = last_write.unwrap_or(0);
        let since = last_write.map_or(0, |position| self.others[position].index);
        let reads: &[Past] = if touch == Touch::Read { &[] } else { &self.reads };
        let first = reads.partition_point(|past| past.index < since);
        let others = self.others[from..].iter().filter(move |past| touch.depends_on(past.touch));
        others.chain(&reads[first..])
    }
}

/// The order of the current schedule.
#[derive(Debug)]
pub(super) struct Clocks {
    tasks: Vec<Task>,
    scopes: Vec<Clock>,
    promises: FxHashMap<PromiseId, Clock>,
    objects: FxHashMap<Object, History>,
    current: TaskId,
    touches: Vec<(Object, Touch)>,
    /// The promise that the current choice set.
    set: Option<PromiseId>,
    /// Each choice so far: who made it, and what comes before it and with it.
    choices: Vec<(TaskId, Rc<Clock>)>,
}

impl Clocks {
    pub(super) fn new() -> Self {
        Self {
            tasks: vec![Task::default()],
            scopes: vec![Clock::default()],
            promises: FxHashMap::default(),
            objects: FxHashMap::default(),
            current: TaskId::MAIN,
            touches: Vec::new(),
            set: None,
            choices: Vec::new(),
        }
    }

    /// A task makes its choice; what it touches is collected.
    pub(super) fn begin(&mut self, task: TaskId) {
        self.current = task;
        self.touches.clear();
        self.set = None;
    }

    /// A task executes a statement.
    pub(super) fn begin_statement(&mut self, task: TaskId) {
        self.current = task;
    }

    pub(super) fn touch(&mut self, object: Object, touch: Touch) {
        self.touches.push((object, touch));
    }

    /// What the current choice touched so far.
    pub(super) fn touches(&self) -> &[(Object, Touch)] {
        &self.touches
    }

    /// The choices by other tasks that touched in a dependent way what was just touched, and are
    /// not ordered before the task's step: all of them since the last write.
    pub(super) fn unordered_touches(&self, task: TaskId) -> Vec<u32> {
        let clock = &self.tasks[task.index()].clock;
        let mut found = Vec::new();
        for (object, touch) in &self.touches {
            // A wait on a semaphore that was not possible then was not tried then.
            let all = matches!(object, Object::Semaphore(_));
            for past in self.objects.get(object).iter().flat_map(|h| h.dependences(*touch, all)) {
                if past.index >= clock.get(past.task) && past.task != task {
                    found.push(past.index);
                }
            }
        }
        found
    }

    /// The tasks that could begin a schedule in which `task` does what it just touched before the
    /// choice `at`: those whose first choice among the ones that do not come after `at`, the
    /// task's step itself included, has none of them before it.
    pub(super) fn initials(&self, at: u32, task: TaskId) -> Vec<TaskId> {
        let comes_before =
            |index: usize, clock: &Clock| (index as u32) < clock.get(self.choices[index].0);
        let free: Vec<usize> = (at as usize + 1..self.choices.len())
            .filter(|index| !comes_before(at as usize, &self.choices[*index].1))
            .collect();
        let mut found = Vec::new();
        for (position, index) in free.iter().enumerate() {
            let (by, clock) = &self.choices[*index];
            if !free[..position].iter().any(|earlier| comes_before(*earlier, clock)) {
                found.push(*by);
            }
        }
        let clock = self.clock_after(task);
        if !free.iter().any(|earlier| comes_before(*earlier, &clock)) {
            found.push(task);
        }
        found
    }

    /// The task's clock, after all that its touches depend on.
    fn clock_after(&self, task: TaskId) -> Clock {
        let mut clock = self.tasks[task.index()].clock.clone();
        for (object, touch) in &self.touches {
            for past in self.objects.get(object).iter().flat_map(|h| h.dependences(*touch, false)) {
                clock.join(&past.clock);
            }
        }
        clock
    }

    /// The task's step is done, as choice number `index`; it comes after all it depends on.
    pub(super) fn commit(&mut self, task: TaskId, index: u32) {
        let mut clock = self.clock_after(task);
        clock.set(task, index + 1);
        let shared = Rc::new(clock.clone());
        self.choices.push((task, Rc::clone(&shared)));
        for (object, touch) in self.touches.drain(..) {
            // A second set fails and orders nothing.
            if let Object::Promise(promise) = object
                && self.set == Some(promise)
            {
                self.promises.insert(promise, clock.clone());
            }
            let past = Past { index, task, touch, clock: Rc::clone(&shared) };
            self.objects.entry(object).or_default().push(past);
        }
        self.tasks[task.index()].clock = clock;
    }
}

impl Observer for Clocks {
    fn event(&mut self, event: Event, _: SiteId) {
        let current = self.current.index();
        match event {
            Event::Fork { .. } => {
                let parent = &self.tasks[current];
                let joined_by = parent.open.last().copied().unwrap_or(parent.joined_by);
                let clock = parent.clock.clone();
                self.tasks.push(Task { clock, joined_by, open: Vec::new() });
            }
            Event::End => {
                let scope = self.tasks[current].joined_by;
                self.scopes[scope].join(&self.tasks[current].clock);
            }
            Event::ScopeBegin { .. } => {
                self.tasks[current].open.push(self.scopes.len());
                self.scopes.push(Clock::default());
            }
            Event::ScopeEnd { .. } => {
                let scope = self.tasks[current].open.pop().expect("only an open scope ends");
                self.tasks[current].clock.join(&self.scopes[scope]);
            }
            Event::Set { promise } => {
                self.set = Some(promise);
                self.promises.insert(promise, self.tasks[current].clock.clone());
            }
            Event::Get { promise } => {
                if let Some(clock) = self.promises.get(&promise) {
                    self.tasks[current].clock.join(clock);
                }
            }
            // Locks and semaphores order only as far as their statements depend on each other.
            Event::Switch { .. }
            | Event::Block
            | Event::Acquire { .. }
            | Event::Release { .. }
            | Event::Signal { .. }
            | Event::Await { .. } => {}
        }
    }

    fn access(&mut self, location: LocId, access: Access, _: SiteId) {
        self.touch(Object::Memory(location), Touch::of(access));
    }
}
