//! One program through every detector whose class fits, held against the oracle.

use rosser_detect::hash::Map;
use rosser_detect::oracle::{Conflict, Oracle};
use rosser_detect::papers::drdp::{Drdp, DrdpOptions};
use rosser_detect::{
    Access, Class, Construct, Detail, Detector, DetectorKind, Event, Exclusion, LocId, Place, Race,
    SiteId, Trace,
};
use rustc_hash::FxHashSet;

use super::random_run::run_randomly;
use super::rng::Rng;
use super::saturate::saturate;
use super::{shadow, structured, workers};
use crate::auto::Auto;
use crate::detectors;
use crate::explore::{Limits, explore};
use crate::machine::{Machine, Observer};
use crate::program::Program;
use crate::serial::{Outcome, run};

/// How many instructions a random program may execute.
const MAX_STEPS: u64 = 2_000;

/// A disagreement between a detector and the oracle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Who disagrees.
    pub who: String,
    /// What it said and what it should have said.
    pub what: String,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Runs DRDP without one of its corrections, which the comparison must notice.
    pub uncorrected: Option<Correction>,
    /// The largest number of instructions of a serial run whose program is explored as well; 0
    /// for never.
    pub explore_below: u64,
}

/// A correction of DRDP that can be left out; see `rosser_detect::papers::drdp::Drdp`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Correction {
    /// Empty tasks are not merged.
    EmptyTasks,
    /// An LSA is captured with its own LSA.
    CapturedLsas,
}

/// What a comparison covered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Covered {
    /// Detector runs that were compared.
    pub runs: u64,
    /// Programs with at least one conflict.
    pub racy: u64,
    /// Programs that deadlocked.
    pub deadlocked: u64,
    /// Programs explored over all schedules.
    pub explored: u64,
    /// Gets of futures that a detector for structured ones has admitted.
    pub structured: u64,
}

/// Records a run.
#[derive(Default)]
struct Recorder {
    trace: Trace,
}

impl Observer for Recorder {
    fn event(&mut self, event: Event, _: SiteId) {
        self.trace.event(event);
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        self.trace.access(location, access, site);
    }
}

/// Compares on the serial run, on a run in random order, and with all schedules.
pub fn compare(
    program: &Program,
    options: Options,
    rng: &mut Rng,
    covered: &mut Covered,
) -> Option<Mismatch> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::default();
    let outcome = run(&mut machine, &mut recorder, MAX_STEPS);
    let mut oracle = Oracle::new(Detail::Pairs);
    recorder.trace.replay(&mut oracle);
    covered.racy += u64::from(!oracle.conflicts().is_empty());
    covered.deadlocked += u64::from(matches!(outcome, Outcome::Deadlock(_)));

    for kind in fitting(program) {
        covered.runs += 1;
        let mismatch = compare_detector(kind, options, &recorder.trace, &oracle, covered);
        if mismatch.is_some() {
            return mismatch;
        }
    }
    if let Some(mismatch) = compare_random_order(program, rng) {
        return Some(mismatch);
    }
    covered.runs += 1;
    if let Some(mismatch) = workers::compare(program, rng, MAX_STEPS) {
        return Some(mismatch);
    }
    covered.runs += 1;
    if let Some(mismatch) = compare_saturated(program, options, &recorder.trace) {
        return Some(mismatch);
    }
    covered.runs += 1;
    if let Some(mismatch) = shadow::compare(&recorder.trace, &oracle) {
        return Some(mismatch);
    }
    if recorder.trace.items().len() as u64 <= options.explore_below {
        covered.explored += 1;
        return compare_schedules(program, &outcome, &oracle);
    }
    None
}

/// The detectors whose class the program is in.
fn fitting(program: &Program) -> impl Iterator<Item = DetectorKind> + '_ {
    let detectors = DetectorKind::in_model().filter(|kind| *kind != DetectorKind::Oracle);
    detectors.filter(|kind| program.is_in_class_of(*kind))
}

/// What the oracle would have a detector find.
fn expected(kind: DetectorKind, oracle: &Oracle) -> Map<LocId, Class> {
    oracle.worst_where(|conflict| is_sought(kind, conflict))
}

/// Who does not know weak order does not look for conflicts between isolated sections.
fn is_sought(kind: DetectorKind, conflict: &Conflict) -> bool {
    kind.knows_weak_order() || !conflict.common_lock
}

fn build(kind: DetectorKind, detail: Detail, options: Options) -> Box<dyn Detector> {
    if kind != DetectorKind::Drdp {
        return detectors::build(kind, detail);
    }
    Box::new(Drdp::with_options(DrdpOptions {
        detail,
        merge_empty_tasks: options.uncorrected == Some(Correction::EmptyTasks),
        late_lsas: options.uncorrected == Some(Correction::CapturedLsas),
        ..DrdpOptions::default()
    }))
}

fn compare_detector(
    kind: DetectorKind,
    options: Options,
    trace: &Trace,
    oracle: &Oracle,
    covered: &mut Covered,
) -> Option<Mismatch> {
    for detail in [Detail::Locations, Detail::Pairs] {
        let mut detector = build(kind, detail, options);
        let mismatch = match replay(trace, detector.as_mut()) {
            Err(mismatch) => Some(mismatch),
            Ok(None) => judge(kind.name(), detector.as_ref(), oracle),
            Ok(Some(admitted)) => {
                covered.structured += structured::gets(&admitted);
                let mut oracle = Oracle::new(Detail::Pairs);
                admitted.replay(&mut oracle);
                judge(kind.name(), detector.as_ref(), &oracle)
            }
        };
        if mismatch.is_some() {
            return mismatch;
        }
    }
    None
}

/// Replays a trace. If the detector refuses what is not structured, returns the trace without that.
fn replay(trace: &Trace, detector: &mut dyn Detector) -> Result<Option<Trace>, Mismatch> {
    if structured::is_choosy(detector.kind()) {
        let who = detector.kind().name().to_owned();
        return structured::replay(trace, detector)
            .map(Some)
            .map_err(|what| Mismatch { who, what });
    }
    trace.replay(detector);
    Ok(None)
}

/// Each racy location is found, no other is, and every reported pair is real. `auto` must also
/// have the right class.
fn judge(who: &str, detector: &dyn Detector, oracle: &Oracle) -> Option<Mismatch> {
    let kind = detector.kind();
    let expected = expected(kind, oracle);
    let found = detector.findings().worst();
    let wrong = |what: String| Some(Mismatch { who: who.to_owned(), what });
    for (location, class) in &expected {
        match found.get(location) {
            None => return wrong(format!("missed the {} at {location:?}", class.name())),
            Some(other) if kind == DetectorKind::Auto && other != class => {
                let (class, other) = (class.name(), other.name());
                return wrong(format!("called the {class} at {location:?} {other}"));
            }
            Some(_) => {}
        }
    }
    let real: FxHashSet<_> = oracle.conflicts().iter().map(key).collect();
    for race in detector.findings().races() {
        let exact = (race.location, race.first, race.second);
        if !expected.contains_key(&race.location) || !real.contains(&exact) {
            return wrong(format!("reported a race that does not exist: {race:?}"));
        }
        if kind == DetectorKind::Auto {
            let same = |c: &&Conflict| key(c) == exact && c.race.exclusion == race.exclusion;
            if oracle.conflicts().iter().find(same).is_none() {
                return wrong(format!("misclassed {race:?}"));
            }
        }
    }
    None
}

fn key(conflict: &Conflict) -> (LocId, Place, Place) {
    (conflict.race.location, conflict.race.first, conflict.race.second)
}

fn compare_random_order(program: &Program, rng: &mut Rng) -> Option<Mismatch> {
    let mut machine = Machine::new(program);
    let mut recorder = Recorder::default();
    run_randomly(&mut machine, &mut recorder, rng, MAX_STEPS);
    let mut oracle = Oracle::new(Detail::Pairs);
    recorder.trace.replay(&mut oracle);
    for detail in [Detail::Locations, Detail::Pairs] {
        let mut auto = Auto::new(detail);
        recorder.trace.replay(&mut auto);
        let mismatch = judge("auto in random order", &auto, &oracle);
        if mismatch.is_some() {
            return mismatch;
        }
    }
    shadow::compare(&recorder.trace, &oracle)
}

/// On the saturated trace every detector must report exactly the pairs that the oracle has.
fn compare_saturated(program: &Program, options: Options, trace: &Trace) -> Option<Mismatch> {
    let trace = saturate(trace);
    let mut oracle = Oracle::new(Detail::Pairs);
    trace.replay(&mut oracle);
    if let Some(mismatch) = shadow::compare(&trace, &oracle) {
        return Some(mismatch);
    }
    let searching: Vec<_> =
        fitting(program).map(|kind| build(kind, Detail::Pairs, options)).collect();
    // Small programs seldom need what `auto` falls back on after a longer search.
    let falling_back = [0, 2].map(|budget| {
        Box::new(Auto::with_search_budget(Detail::Pairs, budget)) as Box<dyn Detector>
    });
    for mut detector in searching.into_iter().chain(falling_back) {
        let kind = detector.kind();
        let admitted = match replay(&trace, detector.as_mut()) {
            Err(mismatch) => return Some(mismatch),
            Ok(admitted) => admitted,
        };
        let of_admitted = admitted.map(|trace| {
            let mut oracle = Oracle::new(Detail::Pairs);
            trace.replay(&mut oracle);
            oracle
        });
        let expected: FxHashSet<Race> = of_admitted
            .as_ref()
            .unwrap_or(&oracle)
            .conflicts()
            .iter()
            .filter(|conflict| is_sought(kind, conflict))
            .map(|conflict| normalised(kind, conflict.race))
            .collect();
        let found: FxHashSet<Race> =
            detector.findings().races().iter().map(|race| normalised(kind, *race)).collect();
        let wrong = |what: String| Some(Mismatch { who: kind.name().to_owned(), what });
        if let Some(missed) = expected.difference(&found).min() {
            return wrong(format!("missed that two steps are parallel: {missed:?}"));
        }
        if let Some(invented) = found.difference(&expected).min() {
            return wrong(format!("took two steps for parallel: {invented:?}"));
        }
    }
    None
}

/// Only `auto` tells what kept two accesses from overlapping.
fn normalised(kind: DetectorKind, race: Race) -> Race {
    let exclusion = if kind == DetectorKind::Auto { race.exclusion } else { Exclusion::None };
    Race { exclusion, ..race }
}

/// Theorem 11: without a conflict there is one final state. Semaphores are outside the theorem:
/// which of two waiting tasks goes on is a choice of the schedule, even without any memory.
fn compare_schedules(program: &Program, outcome: &Outcome, oracle: &Oracle) -> Option<Mismatch> {
    let in_theorem = !program.uses(Construct::Semaphore)
        && oracle.conflicts().is_empty()
        && matches!(outcome, Outcome::Finished | Outcome::Deadlock(_));
    if !in_theorem {
        return None;
    }
    let result = explore(program, Limits::small());
    (result.complete && result.finals.len() != 1).then(|| Mismatch {
        who: "explore".to_owned(),
        what: format!("found {} final states of a race-free program", result.finals.len()),
    })
}
