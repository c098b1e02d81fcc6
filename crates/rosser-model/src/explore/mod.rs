//! Every schedule of a small program, and all final states they lead to.
//!
//! Schedules that differ only in the order of independent statements lead to the same state, so
//! one of them is enough: dynamic partial-order reduction (C. Flanagan and P. Godefroid, *Dynamic
//! Partial-Order Reduction for Model Checking Software*, POPL 2005) with sleep sets and source sets
//! (P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, *Optimal Dynamic Partial Order Reduction*,
//! POPL 2014). A schedule is run to its end; wherever two dependent statements of unordered tasks
//! were met, a schedule that takes the other order is tried later. Of a race-free program that is
//! one schedule in all, whatever its size.
//!
//! Statements that touch nothing that others can see, and those that merely become possible and
//! then commute with everything (fork, end, get, the end of a finish), are executed at once and
//! are not points of choice.

mod clocks;
pub(crate) mod finals;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use rosser_detect::{SiteId, TaskId};
use rustc_hash::{FxHashMap, FxHashSet};

pub use finals::{FinalState, StuckTask};

use crate::machine::{Footprint, Machine, Pending, RuntimeError, Value};
use crate::program::{Op, Program};
use clocks::{Clocks, Object, Touch, independent};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most schedules to run.
    pub schedules: u64,
    /// The most instructions in one schedule.
    pub steps: u64,
    /// The most instructions in all.
    pub total_steps: u64,
    /// Whether equivalent schedules are left out. Without it every interleaving is run, which is
    /// good only to check the reduction itself.
    pub reduction: bool,
}

impl Limits {
    /// For the tiny programs of the fuzzer.
    pub fn small() -> Self {
        Self { schedules: 2_000, steps: 2_000, total_steps: 4_000_000, reduction: true }
    }
}

/// One choice in a schedule: which task went next, and its statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The task, by its path from main: `main`, `1`, `1.2`.
    pub task: String,
    /// The statement.
    pub site: SiteId,
}

/// A final state with one schedule that leads to it.
#[derive(Clone, Debug)]
pub struct Final {
    /// The state.
    pub state: FinalState,
    /// The choices that led there.
    pub schedule: Vec<Choice>,
    /// How many of the schedules that were run led there.
    pub count: u64,
}

/// What an exploration found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The distinct final states, in the order found.
    pub finals: Vec<Final>,
    /// How many schedules were run.
    pub schedules: u64,
    /// Whether all schedules were covered.
    pub complete: bool,
    /// Whether some schedule reached the limit on instructions.
    pub steps_exceeded: bool,
    /// How many instructions were executed in all.
    pub steps: u64,
}

impl Exploration {
    /// How many final states differ in what can be seen from outside: not merely in what tasks
    /// loaded on the way.
    pub fn results(&self) -> usize {
        let outside = |state: &Final| FinalState { loads: BTreeMap::new(), ..state.state.clone() };
        self.finals.iter().map(outside).collect::<FxHashSet<_>>().len()
    }
}

/// Explores a program.
pub fn explore(program: &Program, limits: Limits) -> Exploration {
    explore_with(program, limits, |_| ControlFlow::Continue(()))
}

/// Explores a program; `progress` is told what was found after each schedule, and may stop it.
pub fn explore_with(
    program: &Program,
    limits: Limits,
    mut progress: impl FnMut(&Exploration) -> ControlFlow<()>,
) -> Exploration {
    let mut explorer = Explorer { program, limits, frames: Vec::new() };
    let mut result = Exploration::default();
    let mut known: FxHashMap<FinalState, usize> = FxHashMap::default();
    loop {
        if result.schedules >= limits.schedules || result.steps >= limits.total_steps {
            return result;
        }
        result.schedules += 1;
        match explorer.run(&mut result.steps) {
            Ran::Final(state, schedule) => {
                let next = result.finals.len();
                let index = *known.entry(state.clone()).or_insert(next);
                if index == next {
                    result.finals.push(Final { state, schedule, count: 0 });
                }
                result.finals[index].count += 1;
            }
            Ran::Redundant => {}
            Ran::TooLong => result.steps_exceeded = true,
        }
        if !explorer.backtrack() {
            result.complete = !result.steps_exceeded;
            return result;
        }
        if progress(&result).is_break() {
            return result;
        }
    }
}

/// How one schedule ended.
enum Ran {
    Final(FinalState, Vec<Choice>),
    /// Every way on is equivalent to one already taken.
    Redundant,
    TooLong,
}

/// What a choice touched, once it was executed.
type Touches = Option<Rc<[(Object, Touch)]>>;

/// A point of choice.
struct Frame {
    /// The tasks that could go on.
    enabled: Vec<TaskId>,
    /// Those that have to be tried.
    backtrack: Vec<TaskId>,
    /// Those that were tried, with what they touched.
    done: Vec<(TaskId, Touches)>,
    /// Those that need not be tried: the result would be a schedule already seen.
    sleep: Vec<(TaskId, Touches)>,
    /// The one being tried.
    chosen: TaskId,
}

struct Explorer<'p> {
    program: &'p Program,
    limits: Limits,
    /// The choices of the current schedule. Ids of tasks depend only on the choices before.
    frames: Vec<Frame>,
}

/// One execution under way.
struct Execution<'p> {
    machine: Machine<'p>,
    clocks: Clocks,
    schedule: Vec<Choice>,
    /// For each task, one more than the number of its last choice.
    last_chosen: Vec<usize>,
    /// How many more instructions may be executed.
    steps: u64,
    /// What each load saw.
    loaded: Vec<(TaskId, SiteId, Value)>,
    /// What failed. The task stops there; the others go on, so that a failure hides nothing.
    failed: Vec<(TaskId, RuntimeError)>,
}

impl<'p> Explorer<'p> {
    /// Repeats the choices so far, then goes on to the end.
    fn run(&mut self, steps: &mut u64) -> Ran {
        let mut execution = self.start();
        let ran = self.go_on(&mut execution);
        *steps += self.limits.steps - execution.steps;
        match ran {
            None => {
                let Execution { machine, loaded, failed, schedule, .. } = execution;
                Ran::Final(FinalState::of(&machine, &loaded, &failed), schedule)
            }
            Some(ran) => ran,
        }
    }

    fn start(&self) -> Execution<'p> {
        Execution {
            machine: Machine::new(self.program),
            clocks: Clocks::new(),
            schedule: Vec::new(),
            last_chosen: Vec::new(),
            steps: self.limits.steps,
            loaded: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// Executes a schedule; `None` if it came to a final state.
    fn go_on(&mut self, execution: &mut Execution<'p>) -> Option<Ran> {
        let replayed = self.frames.len();
        let mut ended = None;
        for depth in 0.. {
            if !execution.settle() {
                ended = Some(Ran::TooLong);
                break;
            }
            let ready = execution.ready();
            if ready.is_empty() {
                break;
            }
            if depth >= self.frames.len() && !self.push_frame(ready, execution) {
                ended = Some(Ran::Redundant);
                break;
            }
            let chosen = self.frames[depth].chosen;
            let finished = execution.take(chosen, depth);
            self.frames[depth].note(execution.clocks.touches());
            if self.limits.reduction && depth + 1 >= replayed {
                self.find_reversals(&execution.clocks, chosen);
            }
            execution.clocks.commit(chosen, depth as u32);
            if !finished {
                ended = Some(Ran::TooLong);
                break;
            }
        }
        if self.limits.reduction {
            self.find_reversals_of_the_stuck(execution);
        }
        ended
    }

    /// A new point of choice; false if all ways on are asleep.
    fn push_frame(&mut self, enabled: Vec<TaskId>, execution: &Execution<'_>) -> bool {
        let sleep = match self.frames.last() {
            Some(last) if self.limits.reduction => last.sleep_after(),
            _ => Vec::new(),
        };
        let awake = |task: &TaskId| sleep.iter().all(|(asleep, _)| asleep != task);
        // In turn, so that a task that waits in a loop does not keep the others from running.
        let awake = enabled.iter().filter(|task| awake(task));
        let Some(&chosen) = awake.min_by_key(|task| execution.last_chosen(**task)) else {
            return false;
        };
        let backtrack = if self.limits.reduction { vec![chosen] } else { enabled.clone() };
        self.frames.push(Frame { enabled, backtrack, done: vec![(chosen, None)], sleep, chosen });
        true
    }

    /// For what the task just touched: where a dependent touch by another task is not ordered
    /// before it, the other order must be tried as well.
    fn find_reversals(&mut self, clocks: &Clocks, task: TaskId) {
        for at in clocks.unordered_touches(task) {
            self.add_backtrack(clocks, at as usize, task);
        }
    }

    /// Waits that were never over might have been first in another schedule.
    fn find_reversals_of_the_stuck(&mut self, execution: &mut Execution<'_>) {
        for index in 0..execution.machine.tasks().len() {
            let task = TaskId::from_index(index);
            if execution.machine.has_ended(task) || execution.has_failed(task) {
                continue;
            }
            if let Some((object, touch)) = execution.machine.footprint(task).and_then(touch_of) {
                execution.clocks.begin(task);
                execution.clocks.touch(object, touch);
                self.find_reversals(&execution.clocks, task);
            }
        }
    }

    /// At the choice `at`, tries the given task, or one that leads to it, instead.
    fn add_backtrack(&mut self, clocks: &Clocks, at: usize, task: TaskId) {
        let initials = clocks.initials(at as u32, task);
        let frame = &mut self.frames[at];
        let candidates: Vec<TaskId> =
            frame.enabled.iter().filter(|task| initials.contains(task)).copied().collect();
        let wanted = match candidates.first() {
            Some(_) if candidates.iter().any(|c| frame.backtrack.contains(c)) => return,
            Some(first) => vec![*first],
            None => frame.enabled.clone(),
        };
        for task in wanted {
            if !frame.backtrack.contains(&task) {
                frame.backtrack.push(task);
            }
        }
    }

    /// Goes back to the last choice with something left to try; false if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            let untried = frame.backtrack.iter().copied().find(|task| {
                frame.done.iter().all(|(done, _)| done != task)
                    && frame.sleep.iter().all(|(asleep, _)| asleep != task)
            });
            if let Some(task) = untried {
                frame.chosen = task;
                // What it touches is noted when it is executed: the state is made anew first.
                frame.done.push((task, None));
                return true;
            }
            self.frames.pop();
        }
        false
    }
}

impl Frame {
    /// Notes what the chosen task touched.
    fn note(&mut self, touches: &[(Object, Touch)]) {
        if let Some((_, noted)) = self.done.iter_mut().find(|(task, _)| *task == self.chosen) {
            *noted = Some(touches.into());
        }
    }

    /// What is asleep after the chosen task's step: what was asleep or tried before here and does
    /// not depend on it. Dependence is the same as that of the clocks, down to the single access
    /// in an isolated section: what one of the two takes for dependent and the other does not is
    /// lost.
    fn sleep_after(&self) -> Vec<(TaskId, Touches)> {
        let chosen = self.done.iter().find(|(task, _)| *task == self.chosen);
        let step = chosen.and_then(|(_, touches)| touches.as_ref());
        let before = self.done.iter().filter(|(task, _)| *task != self.chosen);
        let all = self.sleep.iter().chain(before);
        all.filter(|(_, other)| match (step, other) {
            (Some(step), Some(other)) => independent(step, other),
            _ => false,
        })
        .cloned()
        .collect()
    }
}

impl Execution<'_> {
    /// Runs every task as far as it gets without a choice; false at the limit.
    fn settle(&mut self) -> bool {
        let mut task = 0;
        let mut idle = 0;
        // Round and round until a whole round changes nothing: an end may let another go on.
        while idle < self.machine.tasks().len() {
            let id = TaskId::from_index(task);
            let mut moved = false;
            while !self.has_failed(id) && self.machine.pending(id) == Pending::Invisible {
                if !self.step(id) {
                    return false;
                }
                moved = true;
            }
            idle = if moved { 0 } else { idle + 1 };
            task = (task + 1) % self.machine.tasks().len();
        }
        true
    }

    /// The tasks at a point of choice.
    fn ready(&self) -> Vec<TaskId> {
        let tasks = (0..self.machine.tasks().len()).map(TaskId::from_index);
        tasks
            .filter(|task| !self.has_failed(*task))
            .filter(|task| self.machine.pending(*task) == Pending::Visible)
            .collect()
    }

    /// Executes the visible statement of a task, or its whole isolated section; false at the
    /// limit.
    fn take(&mut self, task: TaskId, depth: usize) -> bool {
        if self.last_chosen.len() <= task.index() {
            self.last_chosen.resize(task.index() + 1, 0);
        }
        self.last_chosen[task.index()] = depth + 1;
        let site = self.machine.next_site(task);
        self.schedule.push(Choice { task: finals::path(&self.machine, task), site });
        self.clocks.begin(task);
        let footprint = self.machine.footprint(task);
        // Memory is left to the clocks, which hear of every access, also in isolated sections.
        if let Some((object, touch)) = footprint.and_then(touch_of)
            && !matches!(object, Object::Memory(_))
        {
            self.clocks.touch(object, touch);
        }
        if footprint != Some(Footprint::Isolated) {
            return self.step(task);
        }
        loop {
            let leaves = self.machine.leaves_isolated(task);
            if !self.step(task) {
                return false;
            }
            if leaves || self.has_failed(task) {
                return true;
            }
        }
    }

    fn step(&mut self, task: TaskId) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        self.clocks.begin_statement(task);
        let (op, site) = (self.machine.next_op(task), self.machine.next_site(task));
        match self.machine.step(task, &mut self.clocks) {
            Ok(_) => {
                if let Op::Load(slot, _) = op {
                    self.loaded.push((task, site, self.machine.local(task, *slot)));
                }
            }
            Err(error) => self.failed.push((task, error)),
        }
        true
    }

    fn last_chosen(&self, task: TaskId) -> usize {
        self.last_chosen.get(task.index()).copied().unwrap_or(0)
    }

    fn has_failed(&self, task: TaskId) -> bool {
        self.failed.iter().any(|(failed, _)| *failed == task)
    }
}

/// What a statement touches, and how.
fn touch_of(footprint: Footprint) -> Option<(Object, Touch)> {
    match footprint {
        Footprint::Memory(location, access) => Some((Object::Memory(location), Touch::of(access))),
        Footprint::Wait(semaphore) | Footprint::Signal(semaphore) => {
            Some((Object::Semaphore(semaphore), Touch::Write))
        }
        Footprint::Set(promise) => Some((Object::Promise(promise), Touch::Write)),
        Footprint::Isolated => None,
    }
}
