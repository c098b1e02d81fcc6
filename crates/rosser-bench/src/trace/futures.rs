//! Structured futures: a loop that starts a batch of them in a finish, gets every one and uses its
//! result before the finish ends.

use rosser_detect::{Access, Detector, ScopeKind, TaskKind};

use super::nth;
use super::plan::{Ordinal, Plan};
use crate::emit::Emitter;

/// How many futures are started before the first is got.
const BATCH: u32 = 8;

/// The trace: each future reads the inputs and what one of the round before has left.
pub fn futures<D: Detector, const A: bool>(plan: Plan, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    let results = emitter.promises(plan.tasks);
    for first in (0..plan.tasks).step_by(BATCH as usize) {
        let batch = first..(first + BATCH).min(plan.tasks);
        emitter.begin(ScopeKind::Finish);
        for me in batch.clone() {
            emitter.fork(TaskKind::Future);
            plan.work(emitter, Ordinal(me), |turn| {
                let location = match me.checked_sub(BATCH) {
                    Some(before) if turn.is_first => plan.own(Ordinal(before), turn.slot),
                    _ => Plan::shared(turn.slot),
                };
                (location, Access::Read)
            });
            emitter.set(nth(results, me));
            emitter.end();
        }
        for me in batch {
            emitter.get(nth(results, me));
            emitter.write(plan.own(Ordinal(me), 0));
        }
        emitter.close(ScopeKind::Finish);
    }
}
