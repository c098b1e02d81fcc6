//! Which step an id belongs to, once execution is not depth-first.
//!
//! Between two task events ids are given out to one step: a *run*. A step may have several, because
//! a release or a get begins a new one, but a run has one step. Runs are in the order of their ids,
//! so an id is found by bisection, from the newest on: O(log n) for an id that is n runs old.

use super::tree::Step;
use crate::serial::log::Id;
use crate::storage::{Exhausted, Stack};

/// Some ids, up to those of the next run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Run {
    /// The first id of the run.
    pub(crate) low: Id,
    /// The step that the ids of the run are of.
    pub(crate) step: Step,
    /// Their task, by the id of its beginning; 0 is the main task.
    pub(crate) task: Id,
}

/// All runs of a region.
#[derive(Debug)]
pub(crate) struct Runs {
    runs: Stack<Run>,
}

impl Runs {
    pub(super) fn new(runs: &'static mut [Run]) -> Self {
        Self { runs: Stack::new(runs) }
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
    }

    pub(super) fn reserve(&mut self, room: usize) {
        self.runs.reserve(room);
    }

    pub(super) fn table(&mut self) -> &mut Stack<Run> {
        &mut self.runs
    }

    pub(crate) fn push(&mut self, run: Run) -> Result<(), Exhausted> {
        self.runs.push(run)
    }

    pub(crate) fn len(&self) -> u32 {
        self.runs.len()
    }

    /// The run of an id, and the id after its last.
    pub(crate) fn of(&self, id: Id) -> (Run, Id) {
        let runs = self.runs.as_slice();
        // Most questions are about what has just happened: gallop down from the end, then bisect.
        let mut reach = 1;
        while reach < runs.len() && runs[runs.len() - reach].low > id {
            reach *= 2;
        }
        let from = runs.len().saturating_sub(reach);
        let to = runs.len() - reach / 2;
        let after = from + runs[from..to].partition_point(|run| run.low <= id);
        let end = runs.get(after).map_or(Id::MAX, |run| run.low);
        (runs.get(after.wrapping_sub(1)).copied().unwrap_or_default(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, Runs};

    #[test]
    fn every_id_is_found() {
        let mut runs = Runs::new(vec![Run::default(); 100].leak());
        for step in 0..37 {
            runs.push(Run { low: 3 * step, step, task: 0 }).unwrap();
            for id in 0..3 * (step + 1) {
                let (run, end) = runs.of(id);
                assert_eq!(run.step, id / 3);
                assert!(end == 3 * (run.step + 1) || (run.step == step && end == u32::MAX));
            }
        }
    }
}
