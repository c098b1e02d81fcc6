//! Many tasks that read one location, which the main task writes before and after.

use rosser_detect::Detector;

use super::fork_join::Style;
use super::nth;
use super::plan::Plan;
use crate::emit::Emitter;

/// How the readers come before the last write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
    /// A sync, in a program with nothing but spawn and sync.
    Sync,
    /// A finish, in a program that also uses promises: every reader first gets one.
    Finish,
    /// The main task gets a promise of each reader.
    Gather,
}

/// The trace; it has one location, whatever the plan says.
pub fn readers<D: Detector, const A: bool>(
    plan: Plan,
    join: Join,
    emitter: &mut Emitter<'_, D, A>,
) {
    let location = Plan::shared(0);
    emitter.write(location);
    let start = emitter.promises(1);
    let own = emitter.promises(plan.tasks);
    let style = if join == Join::Sync { Style::Spawn } else { Style::Finish };
    if join == Join::Finish {
        emitter.set(start);
    }
    if join != Join::Gather {
        emitter.begin(style.scope());
    }
    for task in 0..plan.tasks {
        emitter.fork(style.task());
        if join == Join::Finish {
            emitter.get(start);
        }
        for _ in 0..plan.per_task {
            emitter.read(location);
        }
        if join == Join::Gather {
            emitter.set(nth(own, task));
        }
        emitter.end();
    }
    if join == Join::Gather {
        for task in 0..plan.tasks {
            emitter.get(nth(own, task));
        }
    } else {
        emitter.close(style.scope());
    }
    emitter.write(location);
}
