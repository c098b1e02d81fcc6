//! One serial run of a program under a detector.

use rosser_detect::{
    Access, Construct, Detail, Detector, DetectorKind, Event, LocId, Race, SiteId, TaskId, TaskKind,
};

use crate::detectors;
use crate::diagnostic::Diagnostic;
use crate::machine::{Machine, Observer, Wait};
use crate::program::Program;
use crate::serial::{Outcome, run};
use crate::source::Span;

/// How many instructions a run may take unless told otherwise.
pub const DEFAULT_MAX_STEPS: u64 = 10_000_000;

/// The most task events of a run under the oracle, which keeps every pair of steps: some hundreds of
/// megabytes at this size.
pub const MAX_ORACLE_EVENTS: u64 = 40_000;

/// What a check showed.
#[derive(Debug)]
pub struct Check<'p> {
    /// The machine after the run.
    pub machine: Machine<'p>,
    /// How the run ended.
    pub outcome: Outcome,
    /// Why the run was outside the detector's class, if that shows only when it runs: nothing else here is then
    /// of any use.
    pub refusal: Option<Diagnostic>,
    /// Whether the run was too long for the detector, which then saw only its beginning.
    pub too_long: bool,
    /// The conflicts, in the order found.
    pub races: Vec<Race>,
    /// How many conflicts were counted but not kept.
    pub omitted: u64,
    /// What was executed.
    pub counts: Counts,
    /// What it cost the detector.
    pub stats: Vec<(&'static str, u64)>,
}

/// What a run consisted of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Task events.
    pub events: u64,
    /// Accesses to shared memory.
    pub accesses: u64,
}

/// Refuses a program with a construct that the detector's class does not have.
pub fn admit(program: &Program, detector: DetectorKind) -> Result<(), Diagnostic> {
    let outside = program.constructs().iter().find(|(construct, _)| !detector.admits(*construct));
    outside.map_or(Ok(()), |(construct, span)| Err(refusal(program, detector, *construct, *span)))
}

/// What is said if a program does something that is outside a detector's class.
fn refusal(
    program: &Program,
    detector: DetectorKind,
    construct: Construct,
    span: Span,
) -> Diagnostic {
    let able = DetectorKind::in_model()
        .filter(|kind| program.is_in_class_of(*kind) && kind.admits(construct));
    let able: Vec<&str> = able.map(DetectorKind::name).collect();
    Diagnostic::new(
        format!("`{}` cannot check programs with `{}`", detector.name(), construct.name()),
        span,
    )
    .label("outside the detector's class")
    .help(format!("use one of: `{}`", able.join("`, `")))
}

/// Runs a program under a detector that admits it.
pub fn check(program: &Program, detector: DetectorKind, max_steps: u64) -> Check<'_> {
    let mut detector = detectors::build(detector, Detail::Pairs);
    check_with(program, detector.as_mut(), max_steps)
}

/// Runs a program under a given detector.
pub fn check_with<'p>(
    program: &'p Program,
    detector: &mut dyn Detector,
    max_steps: u64,
) -> Check<'p> {
    let mut machine = Machine::new(program);
    let max_events =
        if detector.kind() == DetectorKind::Oracle { MAX_ORACLE_EVENTS } else { u64::MAX };
    let mut observer = Watching { detector, counts: Counts::default(), max_events, refused: None };
    let outcome = run(&mut machine, &mut observer, max_steps);
    let (counts, refused) = (observer.counts, observer.refused);
    let findings = detector.findings();
    Check {
        machine,
        outcome,
        refusal: refused.map(|(construct, site)| {
            refusal(program, detector.kind(), construct, program.span(site))
        }),
        too_long: counts.events > max_events,
        races: findings.races().to_vec(),
        omitted: findings.omitted(),
        counts,
        stats: detector.stats(),
    }
}

/// Passes everything on to a detector, up to a number of events.
struct Watching<'d> {
    detector: &'d mut dyn Detector,
    counts: Counts,
    max_events: u64,
    /// The first thing that the detector does not admit, and where it was done.
    refused: Option<(Construct, SiteId)>,
}

impl Observer for Watching<'_> {
    fn event(&mut self, event: Event, site: SiteId) {
        self.counts.events += 1;
        if self.counts.events <= self.max_events {
            self.detector.event(event);
            let refused = self.detector.refused().map(|construct| (construct, site));
            self.refused = self.refused.or(refused);
        }
    }

    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        self.counts.accesses += 1;
        if self.counts.events <= self.max_events {
            self.detector.access(location, access, site);
        }
    }
}

/// A location by the name of the local at its allocation, with the index for arrays.
pub fn variable(machine: &Machine<'_>, location: LocId) -> String {
    let (allocation, index) = machine.locate(location);
    let name = machine.program().bound_name(allocation.site);
    if allocation.is_array { format!("{name}[{index}]") } else { name.to_owned() }
}

/// A task's short name: `main`, then `t1`, `t2` and so on in order of creation.
pub fn task_name(task: TaskId) -> String {
    if task == TaskId::MAIN { "main".to_owned() } else { format!("t{}", task.0) }
}

/// The word that started a task.
pub fn task_word(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Async => "async",
        TaskKind::Spawn => "spawn",
        TaskKind::Future => "future",
    }
}

/// What a task waits for, in words.
pub fn describe_wait(machine: &Machine<'_>, wait: Wait) -> String {
    let program = machine.program();
    match wait {
        Wait::Promise(promise) => {
            let promise = machine.promise(promise);
            let name = program.bound_name(promise.made_at);
            if promise.is_future {
                format!("future `{name}`, whose task has not ended")
            } else {
                format!("promise `{name}`, which nobody has set")
            }
        }
        Wait::Scope(_) => "the tasks of its finish or sync block".to_owned(),
        Wait::Semaphore(semaphore) => {
            let name = program.bound_name(machine.semaphore_site(semaphore));
            format!("a signal of semaphore `{name}`")
        }
    }
}
