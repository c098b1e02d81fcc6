//! All-to-all: stages of tasks, each of which gets every promise of the stage before.

use rosser_detect::{Access, Detector, TaskKind};

use super::nth;
use super::plan::{Ordinal, Plan};
use crate::emit::Emitter;

/// How many tasks a stage has, unless the trace is too small for that.
const BREADTH: u32 = 32;

/// How many tasks a stage has.
pub fn breadth(plan: Plan) -> u32 {
    BREADTH.min(plan.tasks.isqrt())
}

/// The trace: every task reads, in turn, what each of the stage before has left.
pub fn stages<D: Detector, const A: bool>(plan: Plan, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    let breadth = breadth(plan);
    let promises = emitter.promises(plan.tasks);
    for me in 0..plan.tasks - plan.tasks % breadth {
        let before = (me / breadth).checked_sub(1).map(|stage| stage * breadth);
        emitter.fork(TaskKind::Async);
        if let Some(before) = before {
            for other in before..before + breadth {
                emitter.get(nth(promises, other));
            }
        }
        plan.work(emitter, Ordinal(me), |turn| {
            let which = 2 * turn.slot + u32::from(turn.is_first);
            let location = before.map_or(Plan::shared(which), |before| {
                plan.own(Ordinal(before + which % breadth), turn.slot)
            });
            (location, Access::Read)
        });
        emitter.set(nth(promises, me));
        emitter.end();
    }
}
