//! The same programs, judged by the algorithms of the papers.
//!
//! As a rule each has to give exactly what its source marks, like the engine. What is listed here are
//! the exceptions: what an algorithm does not admit, and what it sees with other eyes.

use std::collections::BTreeSet;

use rosser_detect::{Construct, DetectorKind};
use serde_json::Value;

use crate::expect::Program;
use crate::observe::Setting;

/// Programs that do something that is outside the class of some, and end there: what that is, for what it is taken,
/// and the programs. What comes first counts. Under futures are promises, too, that are set and got as if they were one.
const REFUSED: &[(Construct, Construct, &[&str])] = &[
    (
        Construct::OuterScope,
        Construct::OuterScope,
        &[
            "race-outer-scope-reader",
            "race-outer-scope-spawn",
            "race-tasks-finish-in-task",
            "clean-scope-inner-then-outer",
            "clean-tasks-panic-in-scope",
        ],
    ),
    (
        Construct::OwnAllocator,
        Construct::OwnAllocator,
        &[
            "clean-bump-allocator",
            "clean-counting-allocator",
            "clean-list-allocator",
            "clean-own-allocator",
        ],
    ),
    (
        Construct::Async,
        Construct::Async,
        &[
            "race-drb173-non-sibling-taskdep",
            "race-drb175-non-sibling-taskdep2",
            "race-figures-drdp-fig08-empty-task",
            "race-figures-esp-bags-fig02-async-finish",
            "race-figures-sf-order-handle-race",
            "race-spawn-from-task",
            "race-tasks-future-starts-more",
            "race-tasks-outlive-parent",
            "race-tasks-setter-handover",
            "clean-deep-spawn",
            "clean-figures-sf-order-divide-and-conquer",
            "clean-scope-tree",
            "clean-tasks-outlive-parent",
            "clean-tasks-setter-handover",
        ],
    ),
    (
        Construct::Isolated,
        Construct::Isolated,
        &[
            "race-figures-esp-bags-fig07-isolated-not-sound",
            "race-figures-esp-bags-sec5-isolated-and-plain",
            "race-figures-netzer-miller-fig01-queue-isolated",
            "race-figures-nondeterminator-fig13-mixed-operators",
            "race-order-tasks-isolated-loop",
            "clean-tasks-isolated-commuting",
            "limits-tasks-wait-in-isolated",
        ],
    ),
    (
        Construct::Future,
        Construct::Promise,
        &[
            "race-figures-sf-order-early-read",
            "race-figures-sf-order-fig01-sf-dag",
            "clean-drb072-taskdep1",
            "clean-drb078-taskdep2",
            "clean-drb132-taskdep4",
            "clean-drb174-non-sibling-taskdep",
            "clean-drb176-fib-taskdep",
            "clean-tasks-with-rayon",
            "limits-tasks-setter-dropped",
            "race-drb131-taskdep4",
            "race-drb173-non-sibling-taskdep",
            "race-drb177-fib-taskdep",
            "race-figures-drdp-fig01-set-and-get",
            "race-tasks-write-after-set",
            "race-tasks-future-starts-more",
            "race-tasks-shared-future",
            "race-tasks-outlive-parent",
            "clean-figures-sf-order-divide-and-conquer",
            "clean-figures-sf-order-handle-in-memory",
            "clean-figures-sf-order-single-touch",
            "clean-tasks-future-value",
        ],
    ),
    (
        Construct::Promise,
        Construct::Promise,
        &[
            "race-drb134-taskdep5",
            "race-figures-drdp-fig06-without-get",
            "race-figures-drdp-fig08-empty-task",
            "race-figures-sf-order-handle-race",
            "race-tasks-ping-pong",
            "race-tasks-items-wait",
            "race-tasks-promise-through-promise",
            "race-tasks-setter-handover",
            "clean-drb079-taskdep3",
            "clean-drb133-taskdep5",
            "clean-figures-drdp-fig06-promise-in-memory",
            "clean-figures-sf-order-two-touches",
            "clean-tasks-blocked-finish",
            "clean-tasks-future-value-dropped",
            "clean-tasks-outlive-parent",
            "clean-tasks-ping-pong",
            "clean-tasks-promise-through-promise",
            "clean-tasks-reverse-chain",
            "clean-tasks-setter-handover",
            "clean-tasks-shared-future",
            "clean-tasks-started-while-waited-for",
            "limits-tasks-deadlock",
            "limits-tasks-wait-in-isolated",
        ],
    ),
];

/// Programs with locks and atomics, which order nothing: what they protect is a race.
const UNORDERED: &[&str] = &[
    "limits-item-hands-on-block",
    "race-items-share-older-memory",
    "race-order-arc-unwrap",
    "race-order-memo-fib",
    "race-order-mutex-counter",
    "race-order-mutex-push",
    "race-order-mutex-two-places",
    "race-order-parking-lot",
    "race-order-release-acquire",
    "race-order-rwlock",
    "race-order-worker-index",
    "race-spawn-then-read",
    "clean-arc-last-drop",
    "clean-lazy-lock",
    "clean-lazy-static",
    "clean-once",
    "clean-once-cell",
    "clean-once-lock",
    "race-step-ends-between",
];

/// Programs with atomic updates that commute, which only SP-bags knows of.
const COMMUTING: &[&str] = &[
    "race-figures-nondeterminator-fig13-parallel-read",
    "race-nqueens",
    "race-spawn-detached",
    "clean-atomic-commuting",
    "clean-atomic-discarded",
    "clean-atomic-sum",
    "clean-deep-spawn",
    "clean-drop-order",
    "clean-histogram-atomic",
    "clean-nqueens",
    "clean-spawn-detached",
];

/// Programs in which a step makes an access again at another line. The engine looks at the first.
const EVERY_ACCESS: &[&str] =
    &["race-figures-esp-bags-fig02-async-finish", "race-figures-esp-bags-fig08-check-elimination"];

/// Programs with isolated sections that depend on their order: ESP-bags does not look for that.
const ISOLATED: &[&str] = &[
    "race-figures-esp-bags-fig07-isolated-not-sound",
    "race-figures-netzer-miller-fig01-queue-isolated",
    "race-figures-nondeterminator-fig13-mixed-operators",
    "race-order-tasks-isolated-loop",
];

/// A program for a limit of the engine that the others do not have: they know the exact line.
const EXACT: &str = "limits-one-word-two-lines";

/// What is not as it should be if a program is judged by an algorithm.
pub fn differences(setting: &Setting, program: &Program, detector: DetectorKind) -> Vec<String> {
    let name = program.name.as_str();
    let refused = REFUSED
        .iter()
        .find(|(what, _, programs)| !detector.admits(*what) && programs.contains(&name));
    let sees_more = UNORDERED.contains(&name)
        || EVERY_ACCESS.contains(&name)
        || !detector.admits(Construct::Accumulate) && COMMUTING.contains(&name);
    if let Some((_, taken_for, _)) = refused {
        let mut who_does = String::new();
        DetectorKind::say_who_admits(*taken_for, |part| who_does.push_str(part));
        return inspect(setting, program, |report, said| {
            let refused =
                report.state == "stopped-not-admitted" && report.detector == detector.name();
            (!refused || !said.contains(&who_does))
                .then(|| format!("it was not refused, or not with `{who_does}`"))
        });
    }
    if sees_more {
        return inspect(setting, program, |report, _| {
            let marked = program.found.iter().map(|(_, first, second)| (*first, *second));
            let missing: Vec<_> = marked.filter(|pair| !report.pairs.contains(pair)).collect();
            (!missing.is_empty() || report.pairs.is_empty())
                .then(|| format!("not found: {missing:?}"))
        });
    }
    if detector.admits(Construct::Isolated) && ISOLATED.contains(&name) {
        let mut program = program.clone();
        program.found.retain(|(class, ..)| *class == "data-race");
        return setting.differences(&program);
    }
    if name == EXACT {
        return inspect(setting, program, |report, _| {
            (report.pairs.len() != program.found.len() || !report.exact)
                .then(|| format!("not exact, or not as many as marked: {:?}", report.pairs))
        });
    }
    setting.differences(program)
}

/// What a report says, as far as it is of interest here.
#[derive(Default)]
pub struct Said {
    /// Who judged.
    pub detector: String,
    /// What became of the run.
    pub state: String,
    /// The lines of each finding, the smaller first.
    pub pairs: BTreeSet<(u32, u32)>,
    exact: bool,
}

/// Runs a program and judges what its report says, and what the run has printed.
pub fn inspect(
    setting: &Setting,
    program: &Program,
    judge: impl FnOnce(&Said, &str) -> Option<String>,
) -> Vec<String> {
    let (report, said) = match setting.observe(program) {
        Ok((_, Ok(report), said)) => (report, said),
        Ok((_, Err(problem), _)) | Err(problem) => return vec![problem],
    };
    let mut result = Said { exact: true, ..Said::default() };
    for line in report.lines() {
        let line: Value = serde_json::from_str(line).expect("the report is JSON lines");
        if line["type"] == "summary" {
            line["detector"].as_str().unwrap_or_default().clone_into(&mut result.detector);
            line["runs"][0]["state"].as_str().unwrap_or_default().clone_into(&mut result.state);
            continue;
        }
        let at = |access: &str| line[access]["place"]["line"].as_u64().unwrap_or(0);
        let (first, second) = (at("first"), at("second"));
        let number = |line: u64| u32::try_from(line).expect("files are short");
        result.pairs.insert((number(first.min(second)), number(first.max(second))));
        result.exact &= line["first"]["exact"] == true;
    }
    judge(&result, &said).into_iter().collect()
}
