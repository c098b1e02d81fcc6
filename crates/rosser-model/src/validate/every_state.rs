//! Every state that a small program can come to, and the races that are next in one of them: what prediction is held
//! against.
//!
//! It goes through states and not schedules: two schedules that come to the same state go on alike. An isolated section
//! excludes other isolated sections, and nothing else.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use rosser_detect::{SiteId, TaskId};
use rustc_hash::FxHashSet;

use crate::explore::finals::path;
use crate::machine::{Footprint, Machine, Pending, Silent};
use crate::program::{Op, Program};

/// An access, by the task's path from main and the place in the text.
pub type Place = (String, SiteId);

/// Pairs of accesses that race, the lesser first.
pub type Races = FxHashSet<(Place, Place)>;

/// How many instructions without anything visible a task may execute.
const MOST_SILENT: u64 = 10_000;

/// The place of a task's next access.
pub fn place(machine: &Machine<'_>, task: TaskId, site: SiteId) -> Place {
    (path(machine, task), site)
}

/// The races of all states; none if there are more than `most`.
pub fn every_race(program: &Program, most: usize) -> Option<Races> {
    let mut races = Races::default();
    let mut seen = FxHashSet::default();
    let mut work = vec![State { machine: Machine::new(program), inside: None }];
    while let Some(mut state) = work.pop() {
        if !state.settle() {
            return None;
        }
        if !seen.insert(state.fingerprint()) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        state.note_races(&mut races);
        for task in state.ready() {
            let mut after = state.clone();
            if after.machine.footprint(task) == Some(Footprint::Isolated) {
                after.inside = Some(task);
            }
            // A statement that fails ends its task; what the others do is seen without it.
            if after.machine.step(task, &mut Silent).is_ok() {
                work.push(after);
            }
        }
    }
    Some(races)
}

#[derive(Clone)]
struct State<'p> {
    machine: Machine<'p>,
    /// Who is in an isolated section.
    inside: Option<TaskId>,
}

impl State<'_> {
    fn tasks(&self) -> impl Iterator<Item = TaskId> + use<> {
        (0..self.machine.tasks().len()).map(TaskId::from_index)
    }

    /// Lets every task go on to what others can notice; false if one does not come there.
    fn settle(&mut self) -> bool {
        let mut budget = MOST_SILENT;
        loop {
            let mut moved = false;
            for task in self.tasks() {
                while self.machine.pending(task) == Pending::Invisible {
                    if matches!(self.machine.next_op(task), Op::EndIsolated) {
                        self.inside = None;
                    }
                    if self.machine.step(task, &mut Silent).is_err() {
                        // It stands there for ever: a failing statement is never next again.
                        return false;
                    }
                    moved = true;
                    budget -= 1;
                    if budget == 0 {
                        return false;
                    }
                }
            }
            if !moved {
                return true;
            }
        }
    }

    fn ready(&self) -> Vec<TaskId> {
        let enters = |task| self.machine.footprint(task) == Some(Footprint::Isolated);
        self.tasks()
            .filter(|task| self.machine.pending(*task) == Pending::Visible)
            .filter(|task| self.inside.is_none() || !enters(*task))
            .collect()
    }

    fn note_races(&self, races: &mut Races) {
        let touching: Vec<_> = self
            .tasks()
            .filter(|task| self.machine.pending(*task) == Pending::Visible)
            .filter_map(|task| match self.machine.footprint(task) {
                Some(Footprint::Memory(location, access)) => Some((task, location, access)),
                _ => None,
            })
            .collect();
        for (at, (task, location, access)) in touching.iter().enumerate() {
            for (other, other_location, other_access) in &touching[at + 1..] {
                let atomic = access.is_atomic() && other_access.is_atomic();
                if location == other_location && access.conflicts_with(*other_access) && !atomic {
                    let here = |task| place(&self.machine, task, self.machine.next_site(task));
                    let (a, b) = (here(*task), here(*other));
                    races.insert(if a < b { (a, b) } else { (b, a) });
                }
            }
        }
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.machine.hash_state(&mut hasher);
        self.inside.hash(&mut hasher);
        hasher.finish()
    }
}
