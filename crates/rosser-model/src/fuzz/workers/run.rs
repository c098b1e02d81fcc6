//! A run by several workers, as the runtime has them: each takes up a task when it has nothing to do, and
//! another on top of one that waits. Their steps are interleaved at random.

use rosser_detect::{Access, Event, LocId, SiteId, TaskId, TaskKind, Trace};

use crate::fuzz::rng::Rng;
use crate::machine::{Machine, Observer, Progress, Wait};
use crate::program::Op;

/// What a run was.
#[derive(Clone, Debug)]
pub struct TeamRun {
    /// What happened, in order.
    pub trace: Trace,
    /// The worker of each task that was begun.
    pub worker_of: Vec<Option<usize>>,
    /// How many workers there were.
    pub workers: usize,
}

/// Runs a machine on two to four workers until nothing can go on, a statement fails, or the limit is
/// reached.
pub fn run_on_team(machine: &mut Machine<'_>, rng: &mut Rng, max_steps: u64) -> TeamRun {
    let workers = 2 + rng.below(3);
    let mut stacks = vec![Vec::new(); workers];
    stacks[0].push(TaskId::MAIN);
    let mut team = Team {
        machine,
        recorder: Recorder::default(),
        stacks,
        worker_of: vec![Some(0)],
        isolated: None,
        perseverance: rng.below(8),
        inlined: *rng.pick(&[0, 0, 1, 4]),
    };
    let mut last = 0;
    for _ in 0..max_steps {
        let Some(worker) = team.next_worker(last, rng) else { break };
        last = worker;
        if !team.go_on(worker, rng) {
            break;
        }
    }
    let Team { recorder, worker_of, .. } = team;
    TeamRun { trace: recorder.trace, worker_of, workers }
}

struct Team<'m, 'p> {
    machine: &'m mut Machine<'p>,
    recorder: Recorder,
    /// By worker: its tasks, the one that runs last.
    stacks: Vec<Vec<TaskId>>,
    /// By task: its worker, once it was taken up.
    worker_of: Vec<Option<usize>>,
    /// Who is in an isolated section.
    isolated: Option<TaskId>,
    /// The worker of the last step takes the next one, too, in so many of eight cases.
    perseverance: usize,
    /// A task is run where it is started in so many of four cases.
    inlined: usize,
}

impl Team<'_, '_> {
    fn next_worker(&self, last: usize, rng: &mut Rng) -> Option<usize> {
        if rng.chance(self.perseverance, 8) && self.can_go_on(last) {
            return Some(last);
        }
        let able: Vec<usize> = (0..self.stacks.len()).filter(|w| self.can_go_on(*w)).collect();
        (!able.is_empty()).then(|| *rng.pick(&able))
    }

    fn can_go_on(&self, worker: usize) -> bool {
        self.can_step(worker).is_some() || self.takeable(worker).next().is_some()
    }

    /// The task that a worker can go on with.
    fn can_step(&self, worker: usize) -> Option<TaskId> {
        let top = *self.stacks[worker].last()?;
        let waits = self.machine.wait(top).is_some();
        let is_excluded =
            self.isolated.is_some() && matches!(self.machine.next_op(top), Op::BeginIsolated);
        (!waits && !is_excluded).then_some(top)
    }

    /// The tasks that a worker may take up now. If there are futures, a worker that waits takes up only what it
    /// waits for, as in the runtime.
    fn takeable(&self, worker: usize) -> impl Iterator<Item = TaskId> {
        let top = self.stacks[worker].last().map(|top| (*top, self.machine.wait(*top)));
        let waiting = (1..self.worker_of.len()).filter(|task| self.worker_of[*task].is_none());
        waiting.map(TaskId::from_index).filter(move |task| match top {
            None => *task != TaskId::MAIN,
            Some((_, Some(Wait::Scope(scope)))) => {
                let joined_by = self.recorder.tasks[task.index()].joined_by;
                !self.recorder.has_futures || joined_by == scope.0 as usize
            }
            Some((_, Some(Wait::Promise(promise)))) => {
                self.machine.task_of_future(promise) == Some(*task)
            }
            Some(_) => false,
        })
    }

    /// A worker makes a step. Returns false if the run is over.
    fn go_on(&mut self, worker: usize, rng: &mut Rng) -> bool {
        let task = self.can_step(worker).unwrap_or_else(|| {
            let tasks: Vec<TaskId> = self.takeable(worker).collect();
            // The newest or the oldest as a rule, as from the ends of a queue.
            let (newest, any) = (tasks[tasks.len() - 1], *rng.pick(&tasks));
            let task = *rng.pick(&[newest, newest, tasks[0], any]);
            self.take_up(worker, task);
            task
        });
        self.recorder.switch(task);
        match self.machine.next_op(task) {
            Op::BeginIsolated if self.isolated.is_none() => self.isolated = Some(task),
            // Taken up, but it cannot begin yet.
            Op::BeginIsolated => return true,
            Op::EndIsolated => self.isolated = None,
            _ => {}
        }
        match self.machine.step(task, &mut self.recorder) {
            Err(_) => return false,
            Ok(Progress::Forked(child)) => {
                self.worker_of.push(None);
                if rng.chance(self.inlined, 4) {
                    self.take_up(worker, child);
                }
            }
            Ok(Progress::Ended(_)) => {
                self.stacks[worker].pop();
                return true;
            }
            Ok(_) => {}
        }
        if self.machine.wait(task).is_some() {
            self.recorder.trace.event(Event::Block);
        }
        true
    }

    fn take_up(&mut self, worker: usize, task: TaskId) {
        self.stacks[worker].push(task);
        self.worker_of[task.index()] = Some(worker);
    }
}

/// Records a run, and which scope joins whom.
struct Recorder {
    trace: Trace,
    current: TaskId,
    tasks: Vec<Scopes>,
    scopes: usize,
    has_futures: bool,
}

/// The scopes of a task.
#[derive(Default)]
struct Scopes {
    joined_by: usize,
    open: Vec<usize>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            trace: Trace::new(),
            current: TaskId::MAIN,
            tasks: vec![Scopes::default()],
            scopes: 1,
            has_futures: false,
        }
    }
}

impl Recorder {
    fn switch(&mut self, to: TaskId) {
        if to != self.current {
            self.trace.event(Event::Switch { to });
            self.current = to;
        }
    }
}

impl Observer for Recorder {
    fn event(&mut self, event: Event, _: SiteId) {
        let current = &mut self.tasks[self.current.index()];
        match event {
            Event::Fork { kind, .. } => {
                let joined_by = current.open.last().copied().unwrap_or(current.joined_by);
                self.tasks.push(Scopes { joined_by, open: Vec::new() });
                self.has_futures |= kind == TaskKind::Future;
            }
            Event::ScopeBegin { .. } => {
                current.open.push(self.scopes);
                self.scopes += 1;
            }
            Event::ScopeEnd { .. } => drop(current.open.pop()),
            _ => {}
        }
        self.trace.event(event);
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        self.trace.access(location, access, site);
    }
}
