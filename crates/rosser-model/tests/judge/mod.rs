//! Holds a program against its header.

use std::collections::BTreeSet;

use rosser_detect::oracle::Oracle;
use rosser_detect::{Class, Construct, Detail, DetectorKind};
use rosser_model::check::{Check, admit, check, check_with, variable};
use rosser_model::explore::{Limits, explore};
use rosser_model::serial::Outcome;
use rosser_model::{Program, load};

use crate::expected::{Example, Pair, Verdict};

const MAX_STEPS: u64 = 1_000_000;

/// More than any example needs.
const LIMITS: Limits =
    Limits { schedules: 200_000, steps: 100_000, total_steps: u64::MAX, reduction: true };

/// Everything that is wrong with what Rosser says about a program.
pub fn disagreements(example: &Example) -> Vec<String> {
    let mut wrong = Vec::new();
    match (load(&example.source), example.expected.verdict) {
        (Err(_), Verdict::Error) => {}
        (Err(error), _) => wrong.push(format!("it does not load: {}", error.message)),
        (Ok(program), verdict) => {
            admission(example, &program, &mut wrong);
            if verdict == Verdict::Error {
                failure(example, &program, &mut wrong);
            } else {
                oracle(example, &program, &mut wrong);
                auto(example, &program, &mut wrong);
                published(example, &program, &mut wrong);
                schedules(example, &program, &mut wrong);
            }
        }
    }
    wrong.iter().map(|what| format!("{}: {what}", example.name)).collect()
}

/// The detectors with all constructs of the program in their class admit it, the others refuse it.
fn admission(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    for kind in DetectorKind::in_model() {
        let is_in_class = example.expected.is_admitted_by(kind);
        let refusal = admit(program, kind).err();
        match refusal.or_else(|| check(program, kind, MAX_STEPS).refusal) {
            None if !is_in_class => wrong.push(format!("{} admits it", kind.name())),
            Some(refusal) if is_in_class => {
                wrong.push(format!("{} refuses it: {}", kind.name(), refusal.message));
            }
            _ => {}
        }
    }
}

fn failure(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    for kind in DetectorKind::in_model().filter(|kind| example.expected.is_admitted_by(*kind)) {
        let result = check(program, kind, MAX_STEPS);
        if !matches!(result.outcome, Outcome::Failed(_)) {
            wrong.push(format!("under {} it ends with {:?}", kind.name(), result.outcome));
        }
    }
}

/// What a check found, as a header would say it.
fn pairs(example: &Example, result: &Check<'_>) -> BTreeSet<Pair> {
    let program = result.machine.program();
    let line = |site| example.source.position(program.span(site).start).line;
    let pair = |race: &rosser_detect::Race| {
        let (a, b) = (line(race.first.site), line(race.second.site));
        let variable = variable(&result.machine, race.location);
        Pair { variable, lines: (a.min(b), a.max(b)), class: race.class() }
    };
    result.races.iter().map(pair).collect()
}

fn locations(pairs: &BTreeSet<Pair>) -> BTreeSet<(String, Class)> {
    let worst = |name: &str| {
        let same = pairs.iter().filter(|pair| pair.variable == name);
        same.map(|pair| pair.class).max().expect("it is one of them")
    };
    pairs.iter().map(|pair| (pair.variable.clone(), worst(&pair.variable))).collect()
}

fn verdict(pairs: &BTreeSet<Pair>) -> Verdict {
    Verdict::of(pairs.iter().map(|pair| pair.class).max())
}

fn outcome(example: &Example, result: &Check<'_>, wrong: &mut Vec<String>) {
    let as_expected = match result.outcome {
        Outcome::Finished => !example.expected.deadlock,
        Outcome::Deadlock(_) => example.expected.deadlock,
        Outcome::Failed(_) | Outcome::StepLimit(..) => false,
    };
    if !as_expected {
        wrong.push(format!("it ends with {:?}", result.outcome));
    }
}

/// The oracle finds exactly the pairs of the header.
fn oracle(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    let result = check(program, DetectorKind::Oracle, MAX_STEPS);
    outcome(example, &result, wrong);
    let (found, expected) = (pairs(example, &result), &example.expected);
    for missing in expected.pairs.difference(&found) {
        wrong.push(format!("the oracle does not find {missing:?}"));
    }
    if expected.race_on.is_empty() {
        for extra in found.difference(&expected.pairs) {
            wrong.push(format!("the header lacks {extra:?}"));
        }
    }
    if locations(&found) != expected.locations() {
        wrong.push(format!("the oracle finds {:?}", locations(&found)));
    }
}

/// `auto` gives each location its class; every pair that it reports is one of the header's.
fn auto(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    let result = check(program, DetectorKind::Auto, MAX_STEPS);
    outcome(example, &result, wrong);
    let (found, expected) = (pairs(example, &result), &example.expected);
    if verdict(&found) != expected.verdict {
        wrong.push(format!("auto says {:?}", verdict(&found)));
    }
    if locations(&found) != expected.locations() {
        wrong.push(format!("auto finds {:?}", locations(&found)));
    }
    if expected.race_on.is_empty() {
        for invented in found.difference(&expected.pairs) {
            wrong.push(format!("auto reports {invented:?}"));
        }
    }
}

/// The published detectors find the racy locations, or those among them that they look for.
fn published(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    for kind in DetectorKind::of_papers() {
        if !example.expected.is_admitted_by(kind) {
            continue;
        }
        let result = check(program, kind, MAX_STEPS);
        outcome(example, &result, wrong);
        let found = pairs(example, &result);
        if verdict(&found) != example.expected.verdict_of(kind) {
            wrong.push(format!("{} says {:?}", kind.name(), verdict(&found)));
        }
        let found: BTreeSet<String> = found.into_iter().map(|pair| pair.variable).collect();
        let sought = sought(kind, program);
        if found != sought {
            wrong.push(format!("{} finds {found:?} and not {sought:?}", kind.name()));
        }
    }
}

/// The racy locations that a detector looks for: all, but for ESP-bags and isolated sections.
fn sought(kind: DetectorKind, program: &Program) -> BTreeSet<String> {
    let mut oracle = Oracle::new(Detail::Pairs);
    let result = check_with(program, &mut oracle, MAX_STEPS);
    let conflicts = oracle.conflicts().iter();
    conflicts
        .filter(|conflict| kind.knows_weak_order() || !conflict.common_lock)
        .map(|conflict| variable(&result.machine, conflict.race.location))
        .collect()
}

/// The number of final states is as stated; without a race there is just one.
fn schedules(example: &Example, program: &Program, wrong: &mut Vec<String>) {
    let expected = &example.expected;
    let in_theorem = expected.verdict == Verdict::Clean && !program.uses(Construct::Semaphore);
    let Some(finals) = expected.finals.or(in_theorem.then_some((1, 1))) else {
        return;
    };
    if in_theorem && finals != (1, 1) {
        wrong.push(format!("the header has {finals:?} final states of a clean program"));
    }
    let result = explore(program, LIMITS);
    if !result.complete {
        wrong.push(format!("{} schedules do not cover it", result.schedules));
    }
    let found = (result.finals.len(), result.results());
    if found != finals {
        let states: Vec<_> = result.finals.iter().map(|found| &found.state).collect();
        wrong.push(format!("explored, it has {found:?} final states: {states:#?}"));
    }
}
