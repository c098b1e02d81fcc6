//! The table of costs: one row for each trace and detector.

use super::child::{Job, Outcome, Protocol};
use super::subject::Subject;
use crate::format::Table;
use crate::trace::TraceKind;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Selection {
    /// About how many tasks each trace has.
    pub tasks: u32,
    /// About how many accesses each trace has.
    pub accesses: u64,
    /// Only traces and detectors with this in `trace/detector` are run.
    pub filter: String,
}

impl Selection {
    /// The jobs of one trace.
    pub fn jobs(&self, trace: TraceKind) -> Vec<Job> {
        let subjects = Subject::all().filter(|subject| {
            subject.admits(trace)
                && format!("{}/{}", trace.name(), subject.name()).contains(&self.filter)
        });
        let (tasks, accesses) = (self.tasks, self.accesses);
        subjects.map(|subject| Job { trace, subject, tasks, accesses }).collect()
    }
}

/// Measures every selected trace under every detector, and returns the table.
pub fn table(selection: &Selection, protocol: Protocol) -> Result<Table, String> {
    let mut table = Table::new(
        2,
        [
            "trace",
            "detector",
            "events",
            "accesses",
            "ns/event",
            "ns/access",
            "peak MB",
            "bytes/location",
        ],
    );
    for trace in TraceKind::ALL {
        let jobs = selection.jobs(trace);
        for (job, outcome) in jobs.iter().zip(protocol.run(&jobs)?) {
            table.row(row(*job, outcome, protocol));
        }
    }
    Ok(table)
}

fn row(job: Job, outcome: Outcome, protocol: Protocol) -> Vec<String> {
    let names = [job.trace.name().to_string(), job.subject.name().to_string()];
    let figures = match outcome {
        Outcome::Measured(m) => {
            // Bytes per location are told only where locations, not tasks, are what is many.
            let per_location = if m.locations < 1000 {
                "-".to_string()
            } else {
                format!("{:.0}", (m.full_kib - m.events_kib) as f64 * 1024.0 / m.locations as f64)
            };
            [
                m.counts.events.to_string(),
                m.counts.accesses.to_string(),
                tenths(outcome.ns_per_event()),
                tenths(outcome.ns_per_access()),
                format!("{:.0}", (m.full_kib - m.base_kib) as f64 * 1024.0 / 1e6),
                per_location,
            ]
        }
        Outcome::Late => {
            let late = format!("> {} s", protocol.limit.as_secs());
            ["-".into(), "-".into(), "-".into(), late, "-".into(), "-".into()]
        }
    };
    names.into_iter().chain(figures).collect()
}

/// A time with one decimal, or a dash.
pub fn tenths(time: Option<f64>) -> String {
    time.map_or_else(|| "-".to_string(), |time| format!("{time:.1}"))
}

#[cfg(test)]
mod tests {
    use super::Selection;
    use crate::trace::TraceKind;

    #[test]
    fn a_filter_picks_traces_and_detectors() {
        let jobs = |filter: &str, trace| {
            let selection = Selection { tasks: 10, accesses: 100, filter: filter.to_string() };
            selection.jobs(trace).iter().map(|job| job.subject.name()).collect::<Vec<_>>()
        };
        assert_eq!(jobs("", TraceKind::Stages), ["empty", "drdp", "auto"]);
        assert_eq!(jobs("stages/auto", TraceKind::Stages), ["auto"]);
        assert!(jobs("chain", TraceKind::Stages).is_empty());
    }
}
