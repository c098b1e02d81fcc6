//! Recorded runs of the example programs, and what they show.

#[allow(dead_code)] // The other tests use all of it.
mod expected;
mod files;

use std::collections::BTreeSet;

use expected::{Verdict as Expected, examples};
use files::programs;
use rosser_model::validate::{Validation, View, every_race, replay, validate};
use rosser_model::{Program, Source, load};
use rosser_validate::analysis::Method;
use rosser_validate::precise::Possibility;
use rosser_validate::{Options, Pairing, Race, Verdict};

fn source(name: &str) -> Source {
    let path = programs().join(name);
    Source::new(name, std::fs::read_to_string(path).expect("it can be read"))
}

/// A race in short: its lines, its verdict, whether it is apparent.
type Short = ((u32, u32), Verdict, bool);

fn short(source: &Source, validation: &Validation<'_>, race: &Race) -> Short {
    let line = |id| {
        let site = rosser_detect::SiteId(validation.execution.action(id).site.0);
        source.position(validation.machine.program().span(site).start).line
    };
    let (a, b) = race.pairs[0];
    let (a, b) = (line(a), line(b));
    ((a.min(b), a.max(b)), race.verdict, race.is_apparent)
}

fn run(program: &Program, seed: u64, options: Options) -> Validation<'_> {
    validate(program, View::Object, seed, 10_000, options)
}

#[test]
fn figure_1_in_every_order() {
    let source = source("netzer-miller/fig01-ordering-graph.tp3");
    let program = load(&source).unwrap();
    // The first lines of the removes and works: left, then right.
    let ([r1, r2, w2], [r1_, w1_, r2_]) =
        ([15..=16, 18..=19, 21..=21], [25..=26, 27..=27, 28..=29]);
    for seed in 0..30 {
        let validation = run(&program, seed, Options::default());
        let races: Vec<Short> = validation
            .analysis
            .races
            .iter()
            .map(|race| short(&source, &validation, race))
            .collect();
        assert_eq!(races.len(), 5, "{races:?}");
        let of = |a: &std::ops::RangeInclusive<u32>, b: &std::ops::RangeInclusive<u32>| {
            let it = races.iter().find(|((one, two), ..)| a.contains(one) && b.contains(two));
            it.unwrap_or_else(|| panic!("{a:?} {b:?}: {races:?}")).1
        };
        assert_eq!(of(&r1, &r1_), Verdict::Feasible);
        for (a, b) in [(&r1, &r2_), (&r2, &r1_), (&r2, &r2_), (&w2, &w1_)] {
            assert_eq!(of(a, b), Verdict::Tangled(0));
        }
        // Causes come first.
        assert_eq!(races[0].1, Verdict::Feasible);
    }
}

#[test]
fn figure_1_with_guarded_removes_has_no_race() {
    let source = source("netzer-miller/fig01-queue-semaphore.tp3");
    let program = load(&source).unwrap();
    for seed in 0..100 {
        for pairing in [Pairing::Each, Pairing::Signal] {
            let options = Options { pairing, precise: seed % 2 == 0, ..Options::default() };
            let validation = run(&program, seed, options);
            assert!(validation.analysis.races.is_empty(), "{:?}", validation.analysis.races);
        }
    }
}

#[test]
fn the_tangle_of_the_five_events_is_not_called_feasible() {
    let source = source("netzer-miller/five-events.tp3");
    let program = load(&source).unwrap();
    for seed in 0..30 {
        let validation = run(&program, seed, Options::default());
        let races: BTreeSet<(u32, u32)> = validation
            .analysis
            .races
            .iter()
            .map(|race| {
                let (lines, verdict, is_apparent) = short(&source, &validation, race);
                let expected = match lines {
                    (18, 23) => Verdict::Tangled(0),
                    (19, 26) => Verdict::Feasible,
                    _ => Verdict::Proved(Method::Ideal),
                };
                assert_eq!((verdict, is_apparent), (expected, true), "{lines:?}");
                lines
            })
            .collect();
        assert_eq!(races, BTreeSet::from([(18, 23), (19, 26), (22, 26)]));
    }
}

/// The true order says more: every race that is possible is proved, in each run that comes there.
#[test]
fn with_the_true_order_figure_1_is_decided() {
    let source = source("netzer-miller/fig01-ordering-graph.tp3");
    let program = load(&source).unwrap();
    let options = Options { precise: true, ..Options::default() };
    let (mut impossible, mut happened) = (0, 0);
    for seed in 0..100 {
        let validation = run(&program, seed, options);
        for race in &validation.analysis.races {
            impossible += u32::from(race.verdict == Verdict::Impossible);
            happened += u32::from(race.possibility == Some(Possibility::Happened));
            assert!(!matches!(race.verdict, Verdict::Tangled(_)));
        }
    }
    assert!(impossible > 50 && happened > 5, "{impossible} {happened}");
}

#[test]
fn pairings_leave_different_races_open() {
    let source = source("netzer-miller/semaphore-two-producers.tp3");
    let program = load(&source).unwrap();
    let apparent = |pairing| -> usize {
        let options = Options { pairing, predict: false, ..Options::default() };
        (0..40).map(|seed| run(&program, seed, options).analysis.races.len()).sum()
    };
    let [each, signal, forced] = [Pairing::Each, Pairing::Signal, Pairing::Forced].map(apparent);
    assert!(each < signal && signal < forced, "{each} {signal} {forced}");
    // Prediction finds both whatever the pairing is, but where the consumer has already seen what another order would
    // have shown it otherwise.
    let both = |seed| run(&program, seed, Options::default()).analysis.races.len() == 2;
    let found = (0..40).filter(|seed| both(*seed)).count();
    assert!(found > 20, "{found}");
}

/// A program that is clean in every schedule has no race in any recorded run; of the others every schedule that is shown
/// can be taken, and leads to a race that some state has.
#[test]
fn the_example_programs() {
    let mut proved = 0;
    for example in examples(&programs()) {
        // Some are there for the error.
        let Ok(program) = load(&example.source) else { continue };
        let all = every_race(&program, 20_000);
        for seed in 0..4 {
            let options = Options { precise: seed % 2 == 1, ..Options::default() };
            let validation = run(&program, seed, options);
            let races = &validation.analysis.races;
            if example.expected.verdict == Expected::Clean {
                assert!(races.is_empty(), "{}: {races:?}", example.name);
            }
            for race in races {
                let Some(witness) = &race.witness else { continue };
                proved += 1;
                assert_eq!(witness.check(&validation.execution), Ok(()), "{}", example.name);
                let replayed = replay(&program, &validation.execution, witness);
                assert_eq!(replayed, Ok(()), "{}", example.name);
            }
            let some = races.iter().any(|race| race.witness.is_some());
            let is_possible = all.as_ref().is_none_or(|all| !all.is_empty());
            assert!(!some || is_possible, "{}", example.name);
        }
    }
    assert!(proved > 100, "{proved}");
}

#[test]
fn a_picture_has_all_threads_and_races() {
    let source = source("netzer-miller/fig01-ordering-graph.tp3");
    let program = load(&source).unwrap();
    let validation = run(&program, 1, Options::default());
    let picture = validation.picture(&source, 100).unwrap();
    assert_eq!(picture.lanes.len(), 3);
    assert_eq!(picture.races.len(), 5);
    // Eight events of the children, two forks and two joins.
    assert_eq!(picture.nodes.len(), 12);
    assert!(picture.to_svg().starts_with("<svg"));
    assert!(validation.picture(&source, 5).is_none());
}
