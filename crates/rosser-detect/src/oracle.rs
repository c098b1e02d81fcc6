//! The oracle: the explicit computation graph and its transitive closure.
//!
//! * **Program class**: everything.
//! * **Guarantee**: exact by construction. It keeps every access of every location and, for every
//!   step, the set of all steps before it, and shares no algorithm with the detectors.
//! * **Cost**: quadratic in steps for space, quadratic in accesses per location for time. It is
//!   there to hold the detectors against, and for small programs.
//!
//! Steps arrive in an order that respects every edge, so the closure is built row by row: what is
//! before a new step is what is before its predecessors, and they themselves.

use crate::hash::Map;

use crate::detector::Detector;
use crate::event::{Access, Event};
use crate::findings::{Class, Detail, Exclusion, Findings, Place, Race};
use crate::ids::{LocId, LockId, SiteId, StepId, TaskId};
use crate::registry::DetectorKind;

/// Why one step comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum EdgeKind {
    /// The next step of the same task.
    Continue,
    /// The first step of a new task.
    Fork,
    /// From the end of a task to the end of the scope that joins it.
    Join,
    /// From a promise's set to a get.
    Promise,
    /// From the end of a critical section to the start of the next one of the same lock.
    Lock,
    /// From a semaphore's signal to the wait that it satisfied.
    Semaphore,
}

impl EdgeKind {
    /// Whether every schedule respects the edge, or only this run happened to.
    pub fn is_strong(self) -> bool {
        !matches!(self, Self::Lock | Self::Semaphore)
    }
}

/// A set of steps.
#[derive(Clone, Debug, Default)]
struct StepSet {
    words: Vec<u64>,
}

impl StepSet {
    fn insert(&mut self, step: StepId) {
        let word = step.index() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (step.index() % 64);
    }

    fn contains(&self, step: StepId) -> bool {
        self.words.get(step.index() / 64).is_some_and(|word| word >> (step.index() % 64) & 1 == 1)
    }

    fn extend(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

/// A node of the computation graph.
#[derive(Debug, Default)]
struct Step {
    task: u32,
    locks: Vec<LockId>,
    before_strongly: StepSet,
    /// Strong and weak edges together.
    before: StepSet,
    edges: Vec<(StepId, EdgeKind)>,
}

#[derive(Debug)]
struct Task {
    /// The last step executed, or the one in which the task waits.
    step: StepId,
    /// The scope that joins the task.
    joined_by: usize,
    open: Vec<usize>,
    locks: Vec<LockId>,
    started: bool,
}

/// Two accesses to one location by different steps, of which neither strongly precedes the other,
/// and that do not commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Conflict {
    /// The conflict, as a detector would report it.
    pub race: Race,
    /// The earlier step.
    pub first: StepId,
    /// The later step.
    pub second: StepId,
    /// Whether both ran under a common lock.
    pub common_lock: bool,
}

/// The oracle; see the module documentation.
#[derive(Debug)]
pub struct Oracle {
    steps: Vec<Step>,
    tasks: Vec<Task>,
    /// The last steps of the tasks that have ended in each scope.
    scopes: Vec<Vec<StepId>>,
    promises: Map<u32, StepId>,
    locks: Map<LockId, StepId>,
    tokens: Map<u32, StepId>,
    current: TaskId,
    accesses: Vec<Vec<(StepId, Access, SiteId)>>,
    conflicts: Vec<Conflict>,
    findings: Findings,
}

impl Oracle {
    /// An oracle at the start of the main task.
    pub fn new(detail: Detail) -> Self {
        let main = Task {
            step: StepId(0),
            joined_by: 0,
            open: Vec::new(),
            locks: Vec::new(),
            started: true,
        };
        Self {
            steps: vec![Step::default()],
            tasks: vec![main],
            scopes: vec![Vec::new()],
            promises: Map::default(),
            locks: Map::default(),
            tokens: Map::default(),
            current: TaskId::MAIN,
            accesses: Vec::new(),
            conflicts: Vec::new(),
            findings: Findings::new(detail),
        }
    }

    /// Every conflicting pair of accesses.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The worst class of the conflicts at each location that satisfy a condition: what a detector
    /// that looks only for those should find.
    pub fn worst_where(&self, condition: impl Fn(&Conflict) -> bool) -> Map<LocId, Class> {
        let mut worst = Map::default();
        for conflict in self.conflicts.iter().filter(|conflict| condition(conflict)) {
            let class = conflict.race.class();
            let entry = worst.entry(conflict.race.location).or_insert(class);
            *entry = class.max(*entry);
        }
        worst
    }

    /// How many steps the computation graph has.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The step that is being executed.
    pub fn current_step(&self) -> StepId {
        self.tasks[self.current.index()].step
    }

    /// The task of a step.
    pub fn task(&self, step: StepId) -> TaskId {
        TaskId(self.steps[step.index()].task)
    }

    /// The edges into a step.
    pub fn edges_into(&self, step: StepId) -> &[(StepId, EdgeKind)] {
        &self.steps[step.index()].edges
    }

    /// Whether a step precedes another in every schedule.
    pub fn precedes(&self, a: StepId, b: StepId) -> bool {
        self.steps[b.index()].before_strongly.contains(a)
    }

    /// Adds a step of the given task with its edges from earlier ones.
    fn add_step(&mut self, task: TaskId, edges: Vec<(StepId, EdgeKind)>) -> StepId {
        let mut step =
            Step { task: task.0, locks: self.tasks[task.index()].locks.clone(), ..Step::default() };
        for (from, kind) in &edges {
            let before = &self.steps[from.index()];
            step.before.extend(&before.before);
            step.before.insert(*from);
            if kind.is_strong() {
                step.before_strongly.extend(&before.before_strongly);
                step.before_strongly.insert(*from);
            }
        }
        step.edges = edges;
        let id = StepId::from_index(self.steps.len());
        self.steps.push(step);
        self.tasks[task.index()].step = id;
        id
    }

    /// Begins the current task's next step, which also follows the given ones.
    fn next_step(&mut self, more: impl IntoIterator<Item = (StepId, EdgeKind)>) -> StepId {
        let mut edges = vec![(self.current_step(), EdgeKind::Continue)];
        edges.extend(more);
        self.add_step(self.current, edges)
    }

    fn fork(&mut self, child: TaskId) {
        let parent = &self.tasks[self.current.index()];
        let joined_by = parent.open.last().copied().unwrap_or(parent.joined_by);
        let forked_at = parent.step;
        self.tasks.push(Task {
            step: forked_at,
            joined_by,
            open: Vec::new(),
            locks: Vec::new(),
            started: false,
        });
        debug_assert_eq!(child.index() + 1, self.tasks.len());
        self.next_step([]);
    }

    fn switch(&mut self, to: TaskId) {
        self.current = to;
        if !self.tasks[to.index()].started {
            self.tasks[to.index()].started = true;
            let forked_at = self.tasks[to.index()].step;
            self.add_step(to, vec![(forked_at, EdgeKind::Fork)]);
        }
    }

    fn end_scope(&mut self) {
        let scope = self.tasks[self.current.index()].open.pop().expect("only an open scope ends");
        let ended = std::mem::take(&mut self.scopes[scope]);
        self.next_step(ended.into_iter().map(|step| (step, EdgeKind::Join)));
    }

    fn exclusion(&self, first: StepId, second: StepId, a: Access, b: Access) -> Exclusion {
        if self.common_lock(first, second) {
            Exclusion::CommonLock
        } else if a.is_atomic() && b.is_atomic() {
            Exclusion::Atomic
        } else if self.steps[second.index()].before.contains(first) {
            Exclusion::WeakOrder
        } else {
            Exclusion::None
        }
    }

    fn common_lock(&self, a: StepId, b: StepId) -> bool {
        self.steps[a.index()].locks.iter().any(|lock| self.steps[b.index()].locks.contains(lock))
    }
}

impl Detector for Oracle {
    fn kind(&self) -> DetectorKind {
        DetectorKind::Oracle
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Fork { child, .. } => self.fork(child),
            Event::Switch { to } => self.switch(to),
            Event::Block => {}
            Event::End => {
                let Task { step, joined_by, .. } = self.tasks[self.current.index()];
                self.scopes[joined_by].push(step);
            }
            Event::ScopeBegin { .. } => {
                let scope = self.scopes.len();
                self.scopes.push(Vec::new());
                self.tasks[self.current.index()].open.push(scope);
                self.next_step([]);
            }
            Event::ScopeEnd { .. } => self.end_scope(),
            Event::Set { promise } => {
                self.promises.insert(promise.0, self.current_step());
                self.next_step([]);
            }
            Event::Get { promise } => {
                let set = self.promises[&promise.0];
                self.next_step([(set, EdgeKind::Promise)]);
            }
            Event::Acquire { lock } => {
                self.tasks[self.current.index()].locks.push(lock);
                let released = self.locks.get(&lock).copied();
                self.next_step(released.map(|step| (step, EdgeKind::Lock)));
            }
            Event::Release { lock } => {
                self.locks.insert(lock, self.current_step());
                self.tasks[self.current.index()].locks.retain(|held| *held != lock);
                self.next_step([]);
            }
            Event::Signal { token } => {
                self.tokens.insert(token.0, self.current_step());
                self.next_step([]);
            }
            Event::Await { token } => {
                let signal = self.tokens[&token.0];
                self.next_step([(signal, EdgeKind::Semaphore)]);
            }
        }
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        if self.accesses.len() <= location.index() {
            self.accesses.resize(location.index() + 1, Vec::new());
        }
        let now = self.current_step();
        if self.accesses[location.index()].contains(&(now, access, site)) {
            return;
        }
        let second = Place { site, access, task: self.current };
        for i in 0..self.accesses[location.index()].len() {
            let (step, earlier, at) = self.accesses[location.index()][i];
            if step != now && earlier.conflicts_with(access) && !self.precedes(step, now) {
                let exclusion = self.exclusion(step, now, earlier, access);
                let first = Place { site: at, access: earlier, task: self.task(step) };
                let race = Race { location, exclusion, first, second };
                let common_lock = exclusion == Exclusion::CommonLock;
                self.conflicts.push(Conflict { race, first: step, second: now, common_lock });
                self.findings.report(race);
            }
        }
        self.accesses[location.index()].push((now, access, site));
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("tasks", self.tasks.len() as u64),
            ("steps", self.steps.len() as u64),
            ("conflicting pairs", self.conflicts.len() as u64),
        ]
    }
}
