//! The same programs on several workers.
//!
//! Each has to give exactly what its source marks. What is listed here are the exceptions.

use crate::detectors::inspect;
use crate::expect::Program;
use crate::observe::Setting;

/// Programs with promises that are set by hand, shared futures, and futures that are got by tasks that do not
/// follow their creation.
const REFUSED: &[&str] = &[
    "clean-drb072-taskdep1",
    "clean-drb078-taskdep2",
    "clean-drb079-taskdep3",
    "clean-drb132-taskdep4",
    "clean-drb133-taskdep5",
    "clean-drb174-non-sibling-taskdep",
    "clean-drb176-fib-taskdep",
    "clean-figures-drdp-fig06-promise-in-memory",
    "clean-figures-sf-order-two-touches",
    "clean-tasks-blocked-finish",
    "clean-tasks-future-value-dropped",
    "clean-tasks-outlive-parent",
    "clean-tasks-panic-in-scope",
    "clean-tasks-ping-pong",
    "clean-tasks-promise-through-promise",
    "clean-tasks-reverse-chain",
    "clean-tasks-setter-handover",
    "clean-tasks-shared-future",
    "clean-tasks-started-while-waited-for",
    "clean-tasks-with-rayon",
    "limits-tasks-deadlock",
    "limits-tasks-second-set",
    "limits-tasks-setter-dropped",
    "limits-tasks-wait-in-isolated",
    "race-drb131-taskdep4",
    "race-drb134-taskdep5",
    "race-drb173-non-sibling-taskdep",
    "race-drb175-non-sibling-taskdep2",
    "race-drb177-fib-taskdep",
    "race-figures-drdp-fig01-set-and-get",
    "race-figures-drdp-fig06-without-get",
    "race-figures-drdp-fig08-empty-task",
    "race-figures-sf-order-handle-race",
    "race-tasks-outlive-parent",
    "race-tasks-ping-pong",
    "race-tasks-items-wait",
    "race-tasks-promise-through-promise",
    "race-tasks-setter-handover",
    "race-tasks-shared-future",
    "race-tasks-write-after-set",
];

/// Programs with tasks that wait for each other: with a worker for each, they go on.
const GO_ON: &[&str] = &[
    "limits-blocked-barrier",
    "limits-blocked-channel",
    "limits-blocked-crossbeam",
    "limits-blocked-mutex",
    "limits-spinning-flag",
    "limits-spinning-yield",
];

/// Programs that do something else in another schedule, so that there are other conflicts.
const OTHERWISE: &[&str] = &[
    "race-figures-esp-bags-fig07-isolated-not-sound",
    "race-figures-nondeterminator-sec8-knapsack-bound",
];

/// Programs in which a variable is in conflict in several ways. One is found, whichever comes first.
const ONE_WAY: &[&str] = &["race-figures-nondeterminator-fig10-sync-blocks"];

/// Programs that only make the access in question if another task was there first. What is found must be marked.
const ONE_BRANCH: &[&str] = &["race-relaxed-publish", "race-items-share-older-memory"];

/// A program in which items of one loop hand on a block. On several workers each is a task, and more is found.
const HANDS_ON: &str = "limits-item-hands-on-block";

/// A program for accesses that have but one line for several: which, depends on the detector.
const ONE_LINE: &str = "limits-one-word-two-lines";

/// What is not as it should be if a program runs on several workers.
pub fn differences(setting: &Setting, program: &Program) -> Vec<String> {
    let found = differences_of_run(setting, program);
    // Its exit may come before the other task has begun.
    if program.name == "limits-exit-after-race" && !found.is_empty() {
        return differences_of_run(setting, program);
    }
    found
}

fn differences_of_run(setting: &Setting, program: &Program) -> Vec<String> {
    let name = program.name.as_str();
    if GO_ON.contains(&name) || OTHERWISE.contains(&name) {
        return inspect(setting, program, |report, _| {
            (report.state != "ended").then(|| format!("it is {}", report.state))
        });
    }
    let is_marked = |pair: &(u32, u32)| {
        program.found.iter().any(|(_, first, second)| (*first, *second) == *pair)
    };
    if ONE_BRANCH.contains(&name) {
        return inspect(setting, program, |report, _| {
            (!report.pairs.iter().all(is_marked)).then(|| format!("found {:?}", report.pairs))
        });
    }
    if ONE_WAY.contains(&name) {
        return inspect(setting, program, |report, _| {
            (report.pairs.is_empty() || !report.pairs.iter().all(is_marked))
                .then(|| format!("nothing, or not what is marked: {:?}", report.pairs))
        });
    }
    if name == HANDS_ON {
        return inspect(setting, program, |report, _| {
            (report.pairs.is_empty()).then(|| "found nothing".to_owned())
        });
    }
    if name == ONE_LINE {
        return inspect(setting, program, |report, _| {
            (report.pairs.len() != program.found.len())
                .then(|| format!("not as many as marked: {:?}", report.pairs))
        });
    }
    if REFUSED.contains(&name) {
        return inspect(setting, program, |report, said| {
            let refused = report.state == "stopped-not-admitted" && report.detector == "sf-order";
            (!refused || !said.contains("drdp and auto do"))
                .then(|| format!("it is {}, or not said who admits it", report.state))
        });
    }
    setting.differences(program)
}
