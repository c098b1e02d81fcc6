//! The serial run: depth-first, with cooperative switching (Jin et al. 2023, §4.2).
//!
//! A new task runs at once. A task that has to wait yields to whoever ran it: its parent, or the
//! task that woke it. As soon as a promise is set, a semaphore signalled or a scope emptied, the
//! tasks that wait for it run, in the order in which they began to wait; then the task that woke
//! them goes on. So every task that can run is on one stack:
//!
//! ```text
//!   main ─forks─► t1 ─sets p─► t2 (got p) ─forks─► t3      ← the top runs
//! ```
//!
//! Everything on the stack strongly precedes what is above it, unless a semaphore woke it.

use std::collections::VecDeque;

use rosser_detect::{Event, PromiseId, SiteId, TaskId};
use rustc_hash::FxHashMap;

use crate::machine::{Machine, Observer, Progress, RuntimeError, ScopeId, SemaphoreId, Wait};

/// A task that waits for something that will not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// The task.
    pub task: TaskId,
    /// The statement it waits at.
    pub site: SiteId,
    /// What it waits for.
    pub wait: Wait,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every task ended.
    Finished,
    /// Some tasks wait for ever.
    Deadlock(Vec<Stuck>),
    /// A statement failed.
    Failed(RuntimeError),
    /// The limit on executed instructions was reached, in the given task and place.
    StepLimit(TaskId, SiteId),
}

/// Runs a machine from its start to its end, or for the given number of instructions.
pub fn run(machine: &mut Machine<'_>, observer: &mut impl Observer, max_steps: u64) -> Outcome {
    let mut worker = Worker::default();
    for _ in 0..max_steps {
        let Some(&task) = worker.stack.last() else {
            return idle(machine);
        };
        match machine.step(task, observer) {
            Ok(progress) => worker.after(progress, machine, observer),
            Err(error) => return Outcome::Failed(error),
        }
    }
    match worker.stack.last() {
        Some(&task) => Outcome::StepLimit(task, machine.next_site(task)),
        None => idle(machine),
    }
}

/// The one worker: its stack, and who waits for what.
#[derive(Debug)]
struct Worker {
    stack: Vec<TaskId>,
    promises: FxHashMap<PromiseId, Vec<TaskId>>,
    scopes: FxHashMap<ScopeId, TaskId>,
    semaphores: FxHashMap<SemaphoreId, VecDeque<TaskId>>,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            stack: vec![TaskId::MAIN],
            promises: FxHashMap::default(),
            scopes: FxHashMap::default(),
            semaphores: FxHashMap::default(),
        }
    }
}

impl Worker {
    fn after(&mut self, progress: Progress, machine: &Machine<'_>, observer: &mut impl Observer) {
        let task = *self.stack.last().expect("somebody made progress");
        let site = machine.next_site(task);
        match progress {
            Progress::Ran => return,
            Progress::Forked(child) => self.stack.push(child),
            Progress::SetPromise(promise) => self.wake_getters(promise),
            Progress::Signalled(semaphore) => {
                let queue = self.semaphores.get_mut(&semaphore);
                self.stack.extend(queue.and_then(VecDeque::pop_front));
            }
            Progress::Blocked(wait) => {
                observer.event(Event::Block, site);
                self.stack.pop();
                match wait {
                    Wait::Promise(promise) => self.promises.entry(promise).or_default().push(task),
                    Wait::Scope(scope) => {
                        self.scopes.insert(scope, task);
                    }
                    Wait::Semaphore(semaphore) => {
                        self.semaphores.entry(semaphore).or_default().push_back(task);
                    }
                }
            }
            Progress::Ended(promise) => {
                self.stack.pop();
                let emptied = machine.emptied_scope(task);
                self.stack.extend(emptied.and_then(|scope| self.scopes.remove(&scope)));
                if let Some(promise) = promise {
                    self.wake_getters(promise);
                }
            }
        }
        if let Some(&top) = self.stack.last()
            && top != task
        {
            observer.event(Event::Switch { to: top }, machine.next_site(top));
        }
    }

    /// The first to wait is the first to run.
    fn wake_getters(&mut self, promise: PromiseId) {
        let getters = self.promises.remove(&promise).unwrap_or_default();
        self.stack.extend(getters.into_iter().rev());
    }
}

/// Nobody can run: either all have ended, or the rest wait for each other.
fn idle(machine: &Machine<'_>) -> Outcome {
    let stuck = stuck(machine);
    if stuck.is_empty() { Outcome::Finished } else { Outcome::Deadlock(stuck) }
}

/// The tasks that have not ended, with what they wait for.
pub fn stuck(machine: &Machine<'_>) -> Vec<Stuck> {
    let tasks = (0..machine.tasks().len()).map(TaskId::from_index);
    tasks
        .filter(|task| !machine.has_ended(*task))
        .filter_map(|task| {
            let wait = machine.wait(task)?;
            Some(Stuck { task, site: machine.next_site(task), wait })
        })
        .collect()
}
