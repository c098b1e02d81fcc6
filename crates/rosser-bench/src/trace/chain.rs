//! A chain of promises: each task gets the promise of the one before, works, and sets its own.

use rosser_detect::{Access, Detector, LocId, PromiseId, TaskId, TaskKind};

use super::nth;
use super::plan::{Dice, Ordinal, Plan, Turn};
use crate::emit::Emitter;

/// What the tasks of a chain touch besides their own locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// They read and write what the task before has left.
    Near,
    /// They read what the task before has left, and what any earlier one has.
    Far,
}

struct Links {
    plan: Plan,
    reach: Reach,
    dice: Dice,
    promises: PromiseId,
}

impl Links {
    fn new<D: Detector, const A: bool>(
        plan: Plan,
        reach: Reach,
        emitter: &mut Emitter<'_, D, A>,
    ) -> Self {
        Plan::prepare(emitter);
        let promises = emitter.promises(plan.tasks);
        Self { plan, reach, dice: Dice::new(), promises }
    }

    /// What a running task does once the promise it needs has been set, up to setting its own.
    fn link<D: Detector, const A: bool>(&mut self, emitter: &mut Emitter<'_, D, A>, me: u32) {
        if me > 0 {
            emitter.get(nth(self.promises, me - 1));
        }
        let plan = self.plan;
        plan.work(emitter, Ordinal(me), |turn| self.other(me, turn));
        emitter.set(nth(self.promises, me));
    }

    fn other(&mut self, me: u32, turn: Turn) -> (LocId, Access) {
        if me == 0 {
            return (Plan::shared(turn.slot), Access::Read);
        }
        let before = Ordinal(me - 1);
        match (turn.is_first, self.reach) {
            (true, _) => (self.plan.own(before, turn.slot), Access::Read),
            (false, Reach::Near) => (self.plan.own(before, turn.slot), Access::Write),
            (false, Reach::Far) => {
                (self.plan.own(Ordinal(self.dice.below(me)), turn.slot), Access::Read)
            }
        }
    }
}

/// The main task creates the tasks from the first to the last, and none has to wait.
pub fn in_order<D: Detector, const A: bool>(
    plan: Plan,
    reach: Reach,
    emitter: &mut Emitter<'_, D, A>,
) {
    let mut links = Links::new(plan, reach, emitter);
    for me in 0..plan.tasks {
        emitter.fork(TaskKind::Async);
        links.link(emitter, me);
        emitter.end();
    }
}

/// The main task creates the tasks from the last to the first. All but that one block at once, and
/// each set then runs the next task on top of the setter.
pub fn waiting<D: Detector, const A: bool>(plan: Plan, emitter: &mut Emitter<'_, D, A>) {
    let mut links = Links::new(plan, Reach::Near, emitter);
    for _ in 1..plan.tasks {
        emitter.fork(TaskKind::Async);
        emitter.block();
    }
    emitter.fork(TaskKind::Async);
    links.link(emitter, 0);
    for me in 1..plan.tasks {
        // Ids count from the last link down to the first, after the main task's.
        emitter.run(TaskId(plan.tasks - me));
        links.link(emitter, me);
    }
    for _ in 0..plan.tasks {
        emitter.end();
    }
}
