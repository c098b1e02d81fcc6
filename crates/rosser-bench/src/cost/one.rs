//! One trace and one detector, measured in this process.

use std::time::{Duration, Instant};

use rosser_detect::live::LiveDetector;
use rosser_detect::registry::Visitor;
use rosser_detect::{Detail, Detector, DetectorKind};
use rosser_model::Auto;

use super::subject::Subject;
use crate::emit::Counts;
use crate::empty::Empty;
use crate::trace::TraceKind;
use crate::trace::plan::Plan;

/// What was measured. As text it is one line of `name=value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// The length of the trace.
    pub counts: Counts,
    /// How many locations it touches.
    pub locations: u64,
    /// How long its events took, without the accesses.
    pub events_time: Duration,
    /// How long all of it took.
    pub full_time: Duration,
    /// The peak of memory before anything ran, in KiB.
    pub base_kib: u64,
    /// The peak of memory after the events alone.
    pub events_kib: u64,
    /// The peak of memory of the pass with accesses.
    pub full_kib: u64,
}

impl Measurement {
    /// The measurement as a line.
    pub fn to_line(self) -> String {
        format!(
            "events={} accesses={} locations={} events_ns={} full_ns={} base_kib={} \
             events_kib={} full_kib={}",
            self.counts.events,
            self.counts.accesses,
            self.locations,
            self.events_time.as_nanos(),
            self.full_time.as_nanos(),
            self.base_kib,
            self.events_kib,
            self.full_kib,
        )
    }

    /// The measurement that a line tells of.
    pub fn parse(line: &str) -> Option<Self> {
        let value = |name: &str| -> Option<u64> {
            let (_, value) = line
                .split_whitespace()
                .filter_map(|pair| pair.split_once('='))
                .find(|p| p.0 == name)?;
            value.parse().ok()
        };
        Some(Self {
            counts: Counts { events: value("events")?, accesses: value("accesses")? },
            locations: value("locations")?,
            events_time: Duration::from_nanos(value("events_ns")?),
            full_time: Duration::from_nanos(value("full_ns")?),
            base_kib: value("base_kib")?,
            events_kib: value("events_kib")?,
            full_kib: value("full_kib")?,
        })
    }
}

/// Runs a trace through a detector, without its accesses and with them.
pub fn measure(trace: TraceKind, subject: Subject, plan: Plan) -> Measurement {
    match subject.kind() {
        None => with(trace, plan, || Empty::new(Detail::Locations)),
        Some(DetectorKind::Auto) => with(trace, plan, || Auto::new(Detail::Locations)),
        Some(kind) => kind.visit_paper(OfPaper { trace, plan }).expect("it is one of a paper"),
    }
}

/// Measures a detector of a paper.
struct OfPaper {
    trace: TraceKind,
    plan: Plan,
}

impl Visitor for OfPaper {
    type Output = Measurement;

    fn visit<D: LiveDetector>(self, new: impl Fn(Detail) -> D) -> Measurement {
        with(self.trace, self.plan, || new(Detail::Locations))
    }
}

/// The detector of the first pass is kept during the second, which then has to get its own memory: an engine
/// that is given back is used again.
fn with<D: Detector>(trace: TraceKind, plan: Plan, fresh: impl Fn() -> D) -> Measurement {
    let base_kib = peak_kib();
    let (first, _, events_time) = timed::<D, false>(trace, plan, &fresh);
    let events_kib = peak_kib();
    let (_, counts, full_time) = timed::<D, true>(trace, plan, &fresh);
    let full_kib = (peak_kib() - (events_kib - base_kib)).max(events_kib);
    drop(first);
    let locations = trace.locations(plan);
    Measurement { counts, locations, events_time, full_time, base_kib, events_kib, full_kib }
}

/// Making the detector counts, since its tables are part of its cost; taking it apart does not.
fn timed<D: Detector, const A: bool>(
    trace: TraceKind,
    plan: Plan,
    fresh: impl Fn() -> D,
) -> (D, Counts, Duration) {
    let start = Instant::now();
    let mut detector = fresh();
    let counts = trace.drive::<D, A>(plan, &mut detector);
    let time = start.elapsed();
    let races = detector.findings().races();
    assert!(races.is_empty(), "{} has no races, yet: {:?}", trace.name(), &races[..1]);
    (detector, counts, time)
}

/// The most memory this process has had resident, in KiB; 0 where the system does not say.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Measurement, measure};
    use crate::cost::subject::Subject;
    use crate::trace::TraceKind;

    #[test]
    fn every_admitted_pair_runs_and_its_line_round_trips() {
        for trace in TraceKind::ALL {
            for subject in Subject::all() {
                if subject.admits(trace) {
                    let measurement = measure(trace, subject, trace.plan(200, 8_000));
                    assert!(measurement.counts.accesses > 7_000);
                    assert_eq!(Measurement::parse(&measurement.to_line()), Some(measurement));
                }
            }
        }
    }

    #[test]
    fn a_line_with_something_missing_is_refused() {
        assert_eq!(Measurement::parse("events=1 accesses=2"), None);
    }
}
