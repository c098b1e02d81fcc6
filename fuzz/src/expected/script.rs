//! What a program does while it runs, held against what it should do.
//!
//! The library runs tasks in the order of the model's serial run, so its instructions come in the same
//! order, too. When all that the model has executed are executed, or another comes, the run is stopped:
//! no task does anything any more. On several workers they come in any order, each as often.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::conflicts::begin_group;
use crate::layout::LOCATIONS;
use crate::model::Expected;
use crate::plan::Pc;

/// The instructions that are to come, and what they compute.
#[derive(Debug)]
pub struct Script {
    noted: Vec<Pc>,
    groups: Vec<usize>,
    /// Whether the order is known.
    is_ordered: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// How many instructions have come.
    come: usize,
    /// How many accesses were made.
    accesses: usize,
    is_stopped: bool,
    wrong: Option<Wrong>,
    values: [i64; LOCATIONS],
}

/// What is not as it should be.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Instruction(Pc),
    Value(Pc),
}

impl Script {
    /// The script of a program.
    pub fn new(expected: &Expected, is_ordered: bool) -> Self {
        let values = [0; LOCATIONS];
        let state = State { come: 0, accesses: 0, is_stopped: false, wrong: None, values };
        Self {
            noted: expected.noted.clone(),
            groups: expected.groups.clone(),
            is_ordered,
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An instruction is going to be executed. Returns whether it is to be.
    #[inline(never)]
    pub fn next(&self, pc: Pc) -> bool {
        let mut state = self.state();
        if state.is_stopped {
            return false;
        }
        if !self.is_ordered {
            state.come += 1;
            let come = state.come;
            drop(state);
            pause(come, pc);
            return true;
        }
        match self.noted.get(state.come) {
            Some(expected) if *expected == pc => {
                state.come += 1;
                return true;
            }
            // The model's run has ended here.
            None => {}
            Some(_) => state.wrong = Some(Wrong::Instruction(pc)),
        }
        state.is_stopped = true;
        false
    }

    /// Whether no task is to do anything any more.
    #[inline(never)]
    pub fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    /// A promise, a future or a spawned child has another value than it should have.
    #[inline(never)]
    pub fn wrong_value(&self, pc: Pc) {
        let mut state = self.state();
        state.wrong.get_or_insert(Wrong::Value(pc));
        state.is_stopped = true;
    }

    /// An access is going to be made. Returns how many were.
    #[inline(never)]
    pub fn begin_access(&self) -> usize {
        let mut state = self.state();
        state.accesses += 1;
        begin_group(self.groups[state.accesses - 1]);
        state.accesses - 1
    }

    /// The value of a location that is too small for it.
    #[inline(never)]
    pub fn value(&self, location: usize) -> i64 {
        self.state().values[location]
    }

    /// Sets the value of a location that is too small for it.
    #[inline(never)]
    pub fn set_value(&self, location: usize, value: i64) {
        self.state().values[location] = value;
    }

    /// What was not as it should be, after the run.
    pub fn problem(&self) -> Option<String> {
        let state = self.state();
        let come = state.come;
        match state.wrong {
            Some(Wrong::Instruction(pc)) => Some(format!(
                "executed instruction {pc} after {come} others, where {} was to come",
                self.noted[come]
            )),
            Some(Wrong::Value(pc)) => Some(format!("instruction {pc} got a wrong value")),
            None if !self.is_ordered => (come != self.noted.len())
                .then(|| format!("executed {come} instructions, not {}", self.noted.len())),
            None if come < self.noted.len() => {
                Some(format!("executed only {come} instructions; {} was to come", self.noted[come]))
            }
            None => None,
        }
    }
}

/// Takes a while now and then, so that other workers get something to do.
fn pause(come: usize, pc: Pc) {
    let hash = (come as u64 * 31 + u64::from(pc)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    if hash.is_multiple_of(5) {
        for _ in 0..hash % 4096 {
            std::hint::spin_loop();
        }
    }
    if hash % 64 == 1 {
        std::thread::sleep(std::time::Duration::from_micros(60));
    }
}
