//! One run in random order, recorded as an execution with threads, and what it shows: races that are apparent, feasible,
//! tangled, or proved by a schedule (see `rosser_validate`).
//!
//! A task is a thread. Forks, joins of scopes and promises order in every schedule; isolated sections and semaphores
//! order as this run happened to be.

mod draw;
mod every_state;
mod record;
mod replay;
mod trace;

use rosser_detect::TaskId;
use rosser_validate::{ActionId, Analysis, Execution, Options, analyse};

pub use every_state::{Place, Races, every_race, place};
pub use record::{Ended, Recorded, View, record};
pub use replay::{Unlike, replay};

use crate::fuzz::Rng;
use crate::machine::Machine;
use crate::program::Program;

/// A recorded run and what it shows.
#[derive(Debug)]
pub struct Validation<'p> {
    /// The machine after the run.
    pub machine: Machine<'p>,
    /// How the run ended.
    pub ended: Ended,
    /// What was recorded.
    pub execution: Execution,
    /// What it shows.
    pub analysis: Analysis,
}

/// Runs a program once in the random order of a seed, and analyses what happened.
pub fn validate(
    program: &Program,
    view: View,
    seed: u64,
    max_steps: u64,
    options: Options,
) -> Validation<'_> {
    let Recorded { machine, execution, ended } =
        record(program, view, &mut Rng::new(seed, 0), max_steps);
    let analysis = analyse(&execution, options);
    Validation { machine, ended, execution, analysis }
}

impl Validation<'_> {
    /// Who did something.
    pub fn task(&self, action: ActionId) -> TaskId {
        record::task_of(self.execution.action(action).thread)
    }
}
