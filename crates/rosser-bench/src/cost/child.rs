//! Children of this process: one per trace, detector and round.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::one::Measurement;
use super::subject::Subject;
use crate::trace::TraceKind;

/// What a child is to run.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The trace to generate.
    pub trace: TraceKind,
    /// Who is told of it.
    pub subject: Subject,
    /// About how many tasks the trace has.
    pub tasks: u32,
    /// About how many accesses it has.
    pub accesses: u64,
}

/// The best of several rounds.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// All rounds ended in time.
    Measured(Measurement),
    /// A round took longer than the limit.
    Late,
}

impl Outcome {
    /// Nanoseconds per access, over and above what the events cost.
    pub fn ns_per_access(self) -> Option<f64> {
        let Self::Measured(m) = self else { return None };
        let time = m.full_time.as_secs_f64() - m.events_time.as_secs_f64();
        Some(time * 1e9 / m.counts.accesses as f64)
    }

    /// Nanoseconds per task event.
    pub fn ns_per_event(self) -> Option<f64> {
        let Self::Measured(m) = self else { return None };
        Some(m.events_time.as_secs_f64() * 1e9 / m.counts.events as f64)
    }

    fn best(self, other: Self) -> Self {
        match (self, other) {
            (Self::Measured(a), Self::Measured(b)) => Self::Measured(Measurement {
                events_time: a.events_time.min(b.events_time),
                full_time: a.full_time.min(b.full_time),
                ..b
            }),
            _ => Self::Late,
        }
    }
}

/// How the measuring is done.
#[derive(Clone, Copy, Debug)]
pub struct Protocol {
    /// How many times each job is run.
    pub rounds: u32,
    /// How long a child may take.
    pub limit: Duration,
}

impl Protocol {
    /// Runs the jobs in turn, round by round. A job that was late once is not run again.
    pub fn run(self, jobs: &[Job]) -> Result<Vec<Outcome>, String> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; jobs.len()];
        for _ in 0..self.rounds {
            for (job, outcome) in jobs.iter().zip(&mut outcomes) {
                *outcome = Some(match *outcome {
                    Some(Outcome::Late) => Outcome::Late,
                    Some(before) => before.best(self.run_once(*job)?),
                    None => self.run_once(*job)?,
                });
            }
        }
        Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Late)).collect())
    }

    fn run_once(self, job: Job) -> Result<Outcome, String> {
        let what = format!("{} with {}", job.trace.name(), job.subject.name());
        let failed = |why: &dyn std::fmt::Display| format!("{what}: {why}");
        let this = std::env::current_exe().map_err(|error| failed(&error))?;
        let mut child = Command::new(this)
            .args(["cost-one", "--trace", job.trace.name(), "--detector", job.subject.name()])
            .args(["--tasks", &job.tasks.to_string(), "--accesses", &job.accesses.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let start = Instant::now();
        // One short line fits into the pipe, so the child never waits for us to read it.
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| failed(&error))? {
                break status;
            }
            if start.elapsed() > self.limit {
                child.kill().and_then(|()| child.wait()).map_err(|error| failed(&error))?;
                return Ok(Outcome::Late);
            }
            thread::sleep(Duration::from_millis(2));
        };
        if !status.success() {
            return Err(failed(&status));
        }
        let mut line = String::new();
        let output = child.stdout.as_mut().ok_or_else(|| failed(&"no output"))?;
        output.read_to_string(&mut line).map_err(|error| failed(&error))?;
        let measurement = Measurement::parse(&line).ok_or_else(|| failed(&"unreadable output"))?;
        Ok(Outcome::Measured(measurement))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Outcome;
    use crate::cost::one::Measurement;
    use crate::emit::Counts;

    fn measured(events_ns: u64, full_ns: u64) -> Outcome {
        Outcome::Measured(Measurement {
            counts: Counts { events: 10, accesses: 100 },
            locations: 1,
            events_time: Duration::from_nanos(events_ns),
            full_time: Duration::from_nanos(full_ns),
            base_kib: 0,
            events_kib: 0,
            full_kib: 0,
        })
    }

    #[test]
    fn the_minimum_is_taken_of_each_time() {
        let best = measured(200, 1_100).best(measured(100, 1_300));
        assert_eq!(best.ns_per_event().map(f64::round), Some(10.0));
        assert_eq!(best.ns_per_access().map(f64::round), Some(10.0));
    }

    #[test]
    fn once_late_is_late() {
        assert!(measured(1, 2).best(Outcome::Late).ns_per_access().is_none());
    }
}
