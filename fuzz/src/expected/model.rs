//! What the model's machine and the oracle say of a program.

use std::collections::HashMap;

use rosser_detect::oracle::Oracle;
use rosser_detect::{Access, Detail, Detector, Event, LocId, Operator, SiteId, StepId, TaskId};
use rosser_model::Program;
use rosser_model::machine::{Machine, Observer, Value, Wait};
use rosser_model::serial::{Outcome, run};

use crate::adapt::FAR;
use crate::conflicts::Worst;
use crate::layout::{LOCATIONS, Layout, STEPS};
use crate::plan::{Pc, Plan};

/// How many instructions a program may execute.
const MAX_STEPS: u64 = 20_000;

/// What is to be expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The instructions that are noted, in the order in which they are executed.
    pub noted: Vec<Pc>,
    /// How the run ends.
    pub ending: Ending,
    /// The worst class of the conflicts of each kind.
    pub worst: Worst,
    /// The group that each access is in, in [`Layout::Steps`].
    pub groups: Vec<usize>,
    /// What the locations hold in the end.
    pub memory: Vec<i64>,
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every task ends.
    Finished,
    /// So many tasks wait for promises for ever.
    Deadlock(usize),
    /// A statement fails, and the run is over.
    Failed,
}

/// Why nothing is to be expected of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It is no program.
    Malformed,
    /// It runs too long or has too many locations.
    TooLarge,
    /// It has something that the library has not.
    Foreign,
}

/// Runs a program in the model. Accumulators have no conflicts, by agreement.
pub(crate) fn expect(program: &Program, plan: &Plan) -> Result<Expected, Unfit> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::new(plan);
    let outcome = run(&mut machine, &mut recorder, MAX_STEPS);
    let Recorder { worst, groups, mut noted, .. } = recorder;
    let ending = match outcome {
        Outcome::Finished => Ending::Finished,
        Outcome::Deadlock(stuck) => {
            let gets = stuck.iter().filter(|stuck| match stuck.wait {
                // Tasks that are to be started further out are no tasks yet.
                Wait::Promise(promise) => {
                    let made_at = machine.promise(promise).made_at;
                    !program.bound_name(made_at).starts_with(FAR)
                }
                _ => false,
            });
            Ending::Deadlock(gets.count())
        }
        Outcome::Failed(error) => {
            // It was noted, but has done nothing.
            if noted.last() == Some(&error.site().0) {
                noted.pop();
            }
            Ending::Failed
        }
        Outcome::StepLimit(..) => return Err(Unfit::TooLarge),
    };
    let memory = machine.memory().iter().map(|value| match value {
        Value::Int(value) => Ok(*value),
        _ => Err(Unfit::Foreign),
    });
    let memory = memory.collect::<Result<Vec<i64>, Unfit>>()?;
    if memory.len() > LOCATIONS || groups.len() > STEPS {
        return Err(Unfit::TooLarge);
    }
    Ok(Expected { noted, ending, worst, groups, memory })
}

struct Recorder<'p> {
    plan: &'p Plan,
    oracle: Oracle,
    noted: Vec<Pc>,
    worst: Worst,
    groups: Vec<usize>,
    current: TaskId,
    /// How often each task has come to follow others than before.
    follows: HashMap<TaskId, u32>,
    /// The numbers of groups, by task and what it follows.
    numbers: HashMap<(TaskId, u32), usize>,
}

impl<'p> Recorder<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            oracle: Oracle::new(Detail::Pairs),
            noted: Vec::new(),
            worst: Worst::new(),
            groups: Vec::new(),
            current: TaskId::MAIN,
            follows: HashMap::new(),
            numbers: HashMap::new(),
        }
    }

    /// Tells the oracle of an access, and takes note of its conflicts.
    fn tell(&mut self, location: LocId, access: Access, site: SiteId, group: usize) {
        let known = self.oracle.conflicts().len();
        self.oracle.access(location, access, site);
        for conflict in &self.oracle.conflicts()[known..] {
            let class = conflict.race.class();
            let worst = self.worst.entry((location.index(), group)).or_insert(class);
            *worst = class.max(*worst);
        }
    }

    /// Whether the present step follows others than an earlier one of the same task and what that follows.
    fn follows_more_than(&self, before: StepId) -> bool {
        let (oracle, now) = (&self.oracle, self.oracle.current_step());
        let mut steps = (0..oracle.steps()).map(StepId::from_index);
        steps.any(|step| {
            step != before && oracle.precedes(step, now) && !oracle.precedes(step, before)
        })
    }

    /// The group of the present access: those of one task that follow the same.
    fn group(&mut self) -> usize {
        let follows = self.follows.get(&self.current).copied().unwrap_or(0);
        let next = self.numbers.len();
        *self.numbers.entry((self.current, follows)).or_insert(next)
    }
}

impl Observer for Recorder<'_> {
    fn statement(&mut self, site: SiteId, _: &[Value]) {
        if self.plan.notes(site.0) {
            self.noted.push(site.0);
        }
    }

    fn event(&mut self, event: Event, _: SiteId) {
        let before = self.oracle.current_step();
        self.oracle.event(event);
        match event {
            Event::Switch { to } => self.current = to,
            Event::Get { .. } | Event::ScopeEnd { .. } if self.follows_more_than(before) => {
                *self.follows.entry(self.current).or_default() += 1;
            }
            _ => {}
        }
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        if self.plan.layout == Layout::Steps {
            let now = self.groups.len();
            // There is no more room.
            if now > STEPS {
                return;
            }
            let group = self.group();
            for earlier in 0..now {
                self.tell(LocId::from_index(earlier), Access::Read, site, group);
            }
            self.tell(LocId::from_index(now), Access::Write, site, group);
            self.groups.push(group);
        } else if self.plan.accumulators[location.index()].is_none() {
            self.tell(location, in_rust(access), site, 0);
        }
    }
}

/// An access as the compiler's pass shows it. Updates that Rust has no instruction for are made with
/// compare-exchange, which commutes with nothing.
fn in_rust(access: Access) -> Access {
    match access {
        Access::Update(Operator::Add | Operator::And | Operator::Or | Operator::Xor) => access,
        Access::Update(_) => Access::Update(Operator::Div),
        // Whose old value is seen commutes with nothing, either.
        Access::Fetch(_) => access,
        _ => access,
    }
}
