//! Properties of random input: nothing panics, nothing hangs, every error has a place in the text,
//! printing loses nothing, and neither does the explorer's reduction.
//!
//! The random numbers are fixed. `PROPTEST_CASES` and `PROPTEST_RNG_SEED` try more and others.

mod files;
mod random;

use std::collections::HashSet;

use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use random::{mutated, texts, tiny};
use rosser_detect::DetectorKind;
use rosser_model::check::{admit, check};
use rosser_model::explore::{FinalState, Limits, explore};
use rosser_model::graph::graph;
use rosser_model::serial::Outcome;
use rosser_model::syntax::{parse, print};
use rosser_model::{Diagnostic, Program, Source, Span, load};

const MAX_STEPS: u64 = 20_000;

/// The given number of cases from a fixed seed, unless the environment says otherwise.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_set = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { default.cases } else { cases },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { default.rng_seed } else { RngSeed::Fixed(1991) },
        failure_persistence: None,
        ..default
    }
}

/// A span lies in the text, between characters, and its position counts from one.
fn assert_within(source: &Source, span: Span) {
    let range = span.range();
    assert!(source.text().get(range.clone()).is_some(), "{range:?} is not in the text");
    let position = source.position(span.start);
    assert!(position.line >= 1 && position.column >= 1, "{position:?}");
    assert!(position.line as usize <= source.text().lines().count() + 1, "{position:?}");
}

fn assert_placed(source: &Source, error: &Diagnostic) {
    assert!(!error.message.is_empty());
    assert_within(source, error.span);
    if let Some((span, label)) = &error.related {
        assert!(!label.is_empty());
        assert_within(source, *span);
    }
}

/// Everything that can be done with a program, with small limits.
fn exercise(source: &Source, program: &Program) {
    for kind in DetectorKind::in_model() {
        match admit(program, kind) {
            Ok(()) => {
                let result = check(program, kind, MAX_STEPS);
                if let Outcome::Failed(error) = &result.outcome {
                    assert_placed(source, &error.diagnostic(program));
                }
                for race in &result.races {
                    assert_within(source, program.span(race.first.site));
                    assert_within(source, program.span(race.second.site));
                }
            }
            Err(refusal) => assert_placed(source, &refusal),
        }
    }
    explore(program, Limits { schedules: 20, steps: 2_000, total_steps: 40_000, reduction: true });
    if let Some(drawn) = graph(program, source, 300) {
        let statements = drawn.statements.expect("300 instructions are not too many");
        for svg in [drawn.steps.to_svg(), statements.to_svg(), drawn.dpst.to_svg()] {
            assert!(svg.trim_end().ends_with("</svg>"));
        }
        for dot in [drawn.steps.to_dot(), statements.to_dot(), drawn.dpst.to_dot()] {
            assert!(dot.starts_with("digraph"));
        }
    }
}

fn load_and_exercise(source: &Source) {
    match load(source) {
        Ok(program) => exercise(source, &program),
        Err(error) => assert_placed(source, &error),
    }
}

/// The printed form of a text that parses.
fn printed(name: &str, text: &str) -> Option<String> {
    parse(&Source::new(name, text)).ok().map(|tree| print(&tree))
}

/// All final states, if every schedule could be covered.
fn finals(program: &Program, reduction: bool) -> Option<HashSet<FinalState>> {
    let result = explore(
        program,
        Limits { schedules: 60_000, steps: 2_000, total_steps: u64::MAX, reduction },
    );
    let states = result.finals.into_iter().map(|found| found.state).collect();
    result.complete.then_some(states)
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        match Source::from_bytes("bytes", bytes) {
            Ok(source) => load_and_exercise(&source),
            Err(error) => prop_assert!(error.message.contains("UTF-8")),
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,60}(\n\\PC{0,20}){0,3}") {
        load_and_exercise(&Source::new("text", text));
    }

    #[test]
    fn printing_loses_nothing(text in mutated(texts())) {
        if let Some(once) = printed("once", &text) {
            let twice = printed("twice", &once);
            prop_assert_eq!(twice.as_ref(), Some(&once));
        }
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn mutated_programs_never_panic_or_hang(text in mutated(texts())) {
        load_and_exercise(&Source::new("mutated", text));
    }
}

proptest! {
    #![proptest_config(config(2_500))]

    #[test]
    fn the_reduction_loses_no_final_state(text in tiny()) {
        let source = Source::new("tiny", text);
        let program = load(&source).expect("tiny programs are well-formed");
        if let (Some(reduced), Some(all)) = (finals(&program, true), finals(&program, false)) {
            prop_assert_eq!(reduced, all, "\n{}", source.text());
        }
    }
}

/// As written and as printed, every example means the same.
#[test]
fn examples_print_and_parse_back() {
    for text in texts() {
        if let Some(once) = printed("once", &text) {
            assert_eq!(printed("twice", &once), Some(once));
        }
    }
}

/// Values of a strategy, the same every time.
fn samples<T>(strategy: &impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let mut runner = TestRunner::new(config(0));
    let mut sample = || strategy.new_tree(&mut runner).expect("it can be generated").current();
    (0..count).map(|_| sample()).collect()
}

/// A change must not always be a syntax error.
#[test]
fn mutated_programs_are_worth_running() {
    let all = samples(&mutated(texts()), 1_000);
    let loaded = all.iter().filter(|text| load(&Source::new("mutated", *text)).is_ok()).count();
    assert!((150..850).contains(&loaded), "{loaded}");
}

/// Most tiny programs must be small enough for both explorations, and worth exploring.
#[test]
fn tiny_programs_are_worth_exploring() {
    let (mut covered, mut several, mut failing, mut stuck) = (0, 0, 0, 0);
    for text in samples(&tiny(), 300) {
        let program = load(&Source::new("tiny", text)).expect("tiny programs are well-formed");
        let Some(states) = finals(&program, false) else { continue };
        covered += 1;
        several += u32::from(states.len() > 1);
        failing += u32::from(states.iter().any(|state| !state.failures.is_empty()));
        stuck += u32::from(states.iter().any(|state| !state.stuck.is_empty()));
    }
    assert!(covered > 250, "{covered}");
    assert!(several > 100, "{several}");
    assert!(failing > 20, "{failing}");
    assert!(stuck > 20, "{stuck}");
}
