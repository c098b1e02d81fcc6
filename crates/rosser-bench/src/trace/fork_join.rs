//! Traces of programs that only fork and join: deep, nested and wide.

use rosser_detect::{Access, Detector, ScopeKind, TaskKind};

use super::plan::{Dice, Ordinal, Plan};
use crate::emit::Emitter;

/// The two spellings of fork-join.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `spawn` and `sync`.
    Spawn,
    /// `async` in a `finish`.
    Finish,
}

impl Style {
    /// How tasks are created.
    pub fn task(self) -> TaskKind {
        match self {
            Self::Spawn => TaskKind::Spawn,
            Self::Finish => TaskKind::Async,
        }
    }

    /// The kind of scope that joins the tasks.
    pub fn scope(self) -> ScopeKind {
        match self {
            Self::Spawn => ScopeKind::SyncBlock,
            Self::Finish => ScopeKind::Finish,
        }
    }
}

/// Recursive halving, as in fib or merge sort: a task spawns two, syncs, and goes over what the
/// tasks below it left. The number of tasks is the greatest 2^n - 1 that is not above the plan's.
pub fn tree<D: Detector, const A: bool>(plan: Plan, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    let levels = (plan.tasks + 1).ilog2();
    emitter.begin(ScopeKind::SyncBlock);
    Recursion { plan, dice: Dice::new(), next: 0 }.task(emitter, levels);
    emitter.close(ScopeKind::SyncBlock);
}

struct Recursion {
    plan: Plan,
    dice: Dice,
    /// The ordinal of the next task.
    next: u32,
}

impl Recursion {
    fn task<D: Detector, const A: bool>(&mut self, emitter: &mut Emitter<'_, D, A>, levels: u32) {
        let me = self.next;
        self.next += 1;
        emitter.fork(TaskKind::Spawn);
        if levels > 1 {
            emitter.begin(ScopeKind::SyncBlock);
            self.task(emitter, levels - 1);
            self.task(emitter, levels - 1);
            emitter.close(ScopeKind::SyncBlock);
        }
        let below = self.next - me;
        let dice = &mut self.dice;
        self.plan.work(emitter, Ordinal(me), |turn| {
            if turn.is_first {
                let access = if turn.slot.is_multiple_of(2) { Access::Write } else { Access::Read };
                (self.plan.own(Ordinal(me + dice.below(below)), turn.slot), access)
            } else {
                (Plan::shared(turn.slot), Access::Read)
            }
        });
        emitter.end();
    }
}

/// Every task spawns one, syncs, and goes over what it left: as many levels as tasks.
pub fn nest<D: Detector, const A: bool>(plan: Plan, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    for _ in 0..plan.tasks {
        emitter.begin(ScopeKind::SyncBlock);
        emitter.fork(TaskKind::Spawn);
    }
    for me in (0..plan.tasks).rev() {
        let below = (me + 1).min(plan.tasks - 1);
        plan.work(emitter, Ordinal(me), |turn| {
            if turn.is_first {
                let access = if turn.slot.is_multiple_of(2) { Access::Write } else { Access::Read };
                (plan.own(Ordinal(below), turn.slot), access)
            } else {
                (Plan::shared(turn.slot), Access::Read)
            }
        });
        emitter.end();
        emitter.close(ScopeKind::SyncBlock);
    }
}

/// All tasks in one scope, side by side; then the main task looks at what each has left.
pub fn wide<D: Detector, const A: bool>(plan: Plan, style: Style, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    emitter.begin(style.scope());
    for me in 0..plan.tasks {
        emitter.fork(style.task());
        plan.work(emitter, Ordinal(me), |turn| {
            (Plan::shared(me + turn.slot * 2 + u32::from(turn.is_first)), Access::Read)
        });
        emitter.end();
    }
    emitter.close(style.scope());
    for task in 0..plan.tasks {
        emitter.write(plan.own(Ordinal(task), 0));
    }
}
