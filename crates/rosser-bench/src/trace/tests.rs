//! The traces are what they claim to be: free of races for the exact oracle and for every detector
//! that admits them, of the expected length, and racy once a get is missing.

use rosser_detect::oracle::Oracle;
use rosser_detect::{
    Access, Detail, Detector, DetectorKind, Event, Findings, Item, LocId, SiteId, Trace,
};
use rosser_model::detectors::build;

use super::TraceKind;
use super::plan::Plan;
use crate::emit::Counts;

/// Writes a trace down.
struct Recorder {
    trace: Trace,
    findings: Findings,
}

impl Detector for Recorder {
    fn kind(&self) -> DetectorKind {
        unreachable!("a recorder is no detector")
    }

    fn event(&mut self, event: Event) {
        self.trace.event(event);
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        self.trace.access(location, access, site);
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

fn record(kind: TraceKind, plan: Plan) -> (Trace, Counts) {
    let mut recorder = Recorder { trace: Trace::new(), findings: Findings::default() };
    let counts = kind.drive::<_, true>(plan, &mut recorder);
    (recorder.trace, counts)
}

fn admits(detector: DetectorKind, trace: TraceKind) -> bool {
    trace.constructs().iter().all(|construct| detector.admits(*construct))
}

/// The trace without its get of the given number.
fn without_get(trace: &Trace, number: usize) -> Trace {
    let mut gets = 0;
    let mut rest = Trace::new();
    for item in trace.items() {
        match *item {
            Item::Event(event) => {
                let is_get = matches!(event, Event::Get { .. });
                if !is_get || gets != number {
                    rest.event(event);
                }
                gets += usize::from(is_get);
            }
            Item::Access(location, access, site) => rest.access(location, access, site),
        }
    }
    rest
}

#[test]
fn no_detector_finds_a_race() {
    for kind in TraceKind::ALL {
        let (trace, _) = record(kind, Plan::new(100, 2_400));
        for detector in DetectorKind::in_model() {
            if admits(detector, kind) {
                let mut detector = build(detector, Detail::Locations);
                trace.replay(&mut *detector);
                let races = detector.findings().races();
                assert!(races.is_empty(), "{}: {races:?}", kind.name());
            }
        }
    }
}

#[test]
fn leaving_out_a_get_makes_a_race_that_all_agree_on() {
    // Not `ChainWaiting`: there, a task without its get would never have been put aside, and DRDP
    // may take for granted that whoever runs on top of a setter was woken by it.
    let ordered_by_gets = [
        TraceKind::ReadersGather,
        TraceKind::ChainNear,
        TraceKind::ChainFar,
        TraceKind::GridNear,
        TraceKind::GridFar,
        TraceKind::Stages,
    ];
    for kind in ordered_by_gets {
        let (trace, _) = record(kind, Plan::new(100, 2_400));
        let trace = without_get(&trace, 37);
        let mut oracle = Oracle::new(Detail::Locations);
        trace.replay(&mut oracle);
        assert!(!oracle.findings().worst().is_empty(), "{} stays clean", kind.name());
        for detector in [DetectorKind::Auto, DetectorKind::Drdp] {
            let mut detector = build(detector, Detail::Locations);
            trace.replay(&mut *detector);
            assert_eq!(detector.findings().worst(), oracle.findings().worst(), "{}", kind.name());
        }
    }
}

#[test]
fn traces_have_the_expected_number_of_events() {
    let plan = Plan::new(100, 800);
    // Fork, switch, end and switch for each task; the end of the main task.
    let tasks = |count: u64| 4 * count + 1;
    let expected = [
        // 63 tasks; a scope in the main task and in each of the 31 that spawn.
        (TraceKind::SpawnTree, tasks(63) + 2 * 32),
        (TraceKind::SpawnNest, tasks(100) + 2 * 100),
        (TraceKind::SpawnWide, tasks(100) + 2),
        (TraceKind::FinishWide, tasks(100) + 2),
        (TraceKind::ReadersSync, tasks(100) + 2),
        (TraceKind::ReadersFinish, tasks(100) + 2 + 1 + 100),
        (TraceKind::ReadersGather, tasks(100) + 2 * 100),
        // Thirteen rounds; each future is set and got.
        (TraceKind::Futures, tasks(100) + 2 * 13 + 2 * 100),
        (TraceKind::ChainNear, tasks(100) + 100 + 99),
        (TraceKind::ChainFar, tasks(100) + 100 + 99),
        // All but one block, switch back, and are switched to again.
        (TraceKind::ChainWaiting, tasks(100) + 100 + 99 + 3 * 99),
        (TraceKind::GridNear, tasks(100) + 100 + 2 * 90),
        (TraceKind::GridFar, tasks(100) + 100 + 2 * 90),
        // Ten stages of ten.
        (TraceKind::Stages, tasks(100) + 100 + 9 * 100),
    ];
    assert_eq!(expected.map(|(kind, _)| kind), TraceKind::ALL);
    for (kind, events) in expected {
        let (trace, counts) = record(kind, plan);
        assert_eq!(counts.events, events, "{}", kind.name());
        assert_eq!(counts.events + counts.accesses, trace.items().len() as u64);
    }
}

#[test]
fn without_its_accesses_a_trace_has_the_same_events() {
    let plan = Plan::new(50, 1_000);
    for kind in TraceKind::ALL {
        let mut recorder = Recorder { trace: Trace::new(), findings: Findings::default() };
        let bare = kind.drive::<_, false>(plan, &mut recorder);
        let (full, counts) = record(kind, plan);
        assert_eq!((bare.events, bare.accesses), (counts.events, 0));
        let events: Vec<Item> =
            full.items().iter().copied().filter(|item| matches!(item, Item::Event(_))).collect();
        assert_eq!(recorder.trace.items(), events);
    }
}

#[test]
fn the_number_of_accesses_is_about_what_was_asked_for() {
    for kind in TraceKind::ALL {
        let (_, counts) = record(kind, kind.plan(1_000, 100_000));
        assert!((90_000..=110_000).contains(&counts.accesses), "{}: {counts:?}", kind.name());
    }
}

#[test]
fn locations_are_counted_without_remembering_them() {
    let plan = Plan::new(100, 2_400);
    for kind in TraceKind::ALL {
        let (trace, _) = record(kind, plan);
        let greatest = trace.items().iter().filter_map(|item| match item {
            Item::Access(location, ..) => Some(u64::from(location.0)),
            Item::Event(_) => None,
        });
        let greatest = greatest.max().expect("every trace accesses something");
        assert!(greatest < kind.locations(plan), "{}", kind.name());
    }
}
