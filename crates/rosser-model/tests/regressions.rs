//! Programs that once gave a wrong answer, each under `regressions/` with a header as in
//! `programs/`, and the corrections that made it right.

mod expected;
mod files;
mod judge;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use expected::{Example, examples};
use files::programs;
use judge::disagreements;
use rosser_detect::Detail;
use rosser_detect::papers::drdp::{Drdp, DrdpOptions};
use rosser_model::check::{check_with, variable};
use rosser_model::explore::{FinalState, Limits, explore};
use rosser_model::load;

fn regressions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions")
}

fn find(root: &Path, name: &str) -> Example {
    let found = examples(root).into_iter().find(|example| example.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

/// Each reported race as a variable and two lines, the earlier access first.
fn races(example: &Example, options: DrdpOptions) -> Vec<(String, u32, u32)> {
    let program = load(&example.source).expect("it loads");
    let mut drdp = Drdp::with_options(options);
    let result = check_with(&program, &mut drdp, 100_000);
    let line = |site| example.source.position(program.span(site).start).line;
    let show = |race: &rosser_detect::Race| {
        let name = variable(&result.machine, race.location);
        (name, line(race.first.site), line(race.second.site))
    };
    result.races.iter().map(show).collect()
}

fn pairs() -> DrdpOptions {
    DrdpOptions { detail: Detail::Pairs, ..DrdpOptions::default() }
}

#[test]
fn every_regression_does_what_its_header_says() {
    let wrong: Vec<String> = examples(&regressions()).iter().flat_map(disagreements).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A promise's empty task that is merged at the end of a finish hides a race.
#[test]
fn merging_empty_tasks_misses_a_race() {
    let example = find(&programs(), "drdp/fig08-empty-task-not-merged.tp3");
    let correct = races(&example, pairs());
    let merged = races(&example, DrdpOptions { merge_empty_tasks: true, ..pairs() });
    assert!(merged.iter().all(|race| correct.contains(race)), "{merged:?}");
    let missed: Vec<_> = correct.iter().filter(|race| !merged.contains(race)).collect();
    assert_eq!(missed.len(), 1, "{correct:?} {merged:?}");
}

/// An ancestor's ancestors that are looked up late are those of a merged task.
#[test]
fn late_ancestors_invent_a_race() {
    let example = find(&regressions(), "late-ancestors.tp3");
    assert_eq!(races(&example, pairs()), []);
    let late = races(&example, DrdpOptions { late_lsas: true, ..pairs() });
    assert_eq!(late, [("x".to_owned(), 15, 36)]);
}

/// The final states over all schedules, in no order.
fn explored(example: &Example, reduction: bool) -> HashSet<FinalState> {
    let program = load(&example.source).expect("it loads");
    let result = explore(
        &program,
        Limits { schedules: 100_000, steps: 10_000, total_steps: u64::MAX, reduction },
    );
    assert!(result.complete, "{}", example.name);
    result.finals.into_iter().map(|found| found.state).collect()
}

/// Which of two waits comes first can matter though neither schedule has a race.
#[test]
fn the_reduction_keeps_the_deadlock_of_two_semaphores() {
    let example = find(&programs(), "lessons/semaphore-lock-order.tp3");
    let finals = explored(&example, true);
    assert_eq!(finals.len(), 2);
    assert_eq!(finals.iter().filter(|state| !state.stuck.is_empty()).count(), 1);
    assert_eq!(finals, explored(&example, false));
}

#[test]
fn the_reduction_loses_no_final_state_of_a_regression() {
    for example in examples(&regressions()) {
        assert_eq!(explored(&example, true), explored(&example, false), "{}", example.name);
    }
}
