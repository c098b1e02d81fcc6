//! A run in random order: any task that can go on may go next.

use rosser_detect::{Event, TaskId};

use super::rng::Rng;
use crate::machine::{Machine, Observer};
use crate::program::Op;

/// Runs a machine until nothing can go on, a statement fails, or the limit is reached.
pub fn run_randomly(
    machine: &mut Machine<'_>,
    observer: &mut impl Observer,
    rng: &mut Rng,
    max_steps: u64,
) {
    let mut current = TaskId::MAIN;
    let mut isolated = false;
    for _ in 0..max_steps {
        let can_run = |task: &TaskId| !machine.has_ended(*task) && machine.wait(*task).is_none();
        let goes_on = isolated || (can_run(&current) && rng.chance(2, 3));
        if !goes_on {
            let tasks = (0..machine.tasks().len()).map(TaskId::from_index);
            let ready: Vec<TaskId> = tasks.filter(can_run).collect();
            if ready.is_empty() {
                return;
            }
            let next = *rng.pick(&ready);
            if next != current {
                observer.event(Event::Switch { to: next }, machine.next_site(next));
                current = next;
            }
        }
        match machine.next_op(current) {
            Op::BeginIsolated => isolated = true,
            Op::EndIsolated => isolated = false,
            _ => {}
        }
        if machine.step(current, observer).is_err() {
            return;
        }
    }
}
