//! A schedule that proves a race, taken by the machine itself.

use rosser_detect::TaskId;
use rosser_validate::{Act, Action, ActionId, Execution, Witness};

use super::record::task_of;
use crate::machine::{Footprint, Machine, Pending, Silent};
use crate::program::{Op, Program};

/// Where the machine does not do what a schedule says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unlike {
    /// The task of this action cannot go on, or does something else.
    At(ActionId),
    /// At the end the two tasks do not stand before conflicting accesses to one location.
    NotThere,
}

/// Takes a schedule and looks whether both accesses are next. Nothing is compared but what each task does.
pub fn replay(program: &Program, execution: &Execution, witness: &Witness) -> Result<(), Unlike> {
    let mut replay = Replay { machine: Machine::new(program), names: vec![(TaskId::MAIN, 0)] };
    for &id in &witness.schedule {
        let action = execution.action(id);
        replay.act(task_of(action.thread), action, id)?;
        if let Act::Fork(child) = action.act {
            replay.names.push((TaskId::from_index(replay.machine.tasks().len() - 1), child.0));
        }
    }
    let mut places = Vec::new();
    for id in [witness.first, witness.second] {
        let action = execution.action(id);
        let task = replay.here(task_of(action.thread)).ok_or(Unlike::NotThere)?;
        replay.settle(task, id)?;
        if replay.machine.next_site(task).0 != action.site.0 {
            return Err(Unlike::NotThere);
        }
        match replay.machine.footprint(task) {
            Some(Footprint::Memory(location, access)) => places.push((location, access)),
            _ => return Err(Unlike::NotThere),
        }
    }
    let [(one, first), (other, second)] = places[..] else { return Err(Unlike::NotThere) };
    let races = first.conflicts_with(second) && !(first.is_atomic() && second.is_atomic());
    if one == other && races { Ok(()) } else { Err(Unlike::NotThere) }
}

struct Replay<'p> {
    machine: Machine<'p>,
    /// Tasks get their ids as they are started: which is which one of the record.
    names: Vec<(TaskId, u32)>,
}

impl Replay<'_> {
    /// The task here that stands for one of the record.
    fn here(&self, recorded: TaskId) -> Option<TaskId> {
        self.names.iter().find(|(_, name)| *name == recorded.0).map(|(task, _)| *task)
    }

    /// Executes instructions of a task up to and with the one that made an action.
    fn act(&mut self, recorded: TaskId, action: Action, id: ActionId) -> Result<(), Unlike> {
        let task = self.here(recorded).ok_or(Unlike::At(id))?;
        self.settle(task, id)?;
        let is_future_s_end = matches!(action.act, Act::Set(_)) && self.machine.has_ended(task);
        if is_future_s_end || matches!(action.act, Act::Join(_)) {
            // What settles goes through these by itself, or else cannot make the next action.
            return Ok(());
        }
        let is_there = self.machine.next_site(task).0 == action.site.0;
        if !is_there || self.machine.wait(task).is_some() {
            return Err(Unlike::At(id));
        }
        self.machine.step(task, &mut Silent).map(|_| ()).map_err(|_| Unlike::At(id))
    }

    /// Lets a task go on to what others can notice, or to where it starts a task or gets a promise. If it waits for the
    /// ends of others, they go on as well.
    fn settle(&mut self, task: TaskId, id: ActionId) -> Result<(), Unlike> {
        self.go_on(task, id)?;
        if self.machine.wait(task).is_some() {
            for _ in 0..self.machine.tasks().len() {
                for other in 0..self.machine.tasks().len() {
                    self.go_on(TaskId::from_index(other), id)?;
                }
            }
        }
        Ok(())
    }

    fn go_on(&mut self, task: TaskId, id: ActionId) -> Result<(), Unlike> {
        while self.machine.pending(task) == Pending::Invisible
            && !matches!(self.machine.next_op(task), Op::Fork { .. } | Op::Get(_) | Op::EndIsolated)
        {
            self.machine.step(task, &mut Silent).map_err(|_| Unlike::At(id))?;
        }
        Ok(())
    }
}
