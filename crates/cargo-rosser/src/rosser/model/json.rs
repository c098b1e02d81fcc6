//! The machine-readable report of `rosser model check`; documented in docs/json.md.

use rosser_detect::{Place, Race};
use rosser_model::check::{Check, describe_wait, task_name, task_word, variable};
use rosser_model::serial::Outcome;
use rosser_model::{Diagnostic, Source, Span};
use serde::Serialize;

/// Incremented when a field changes its meaning or goes away; new fields do not count.
const VERSION: u32 = 1;

/// The report of one file, a line of JSON.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    version: u32,
    file: String,
    detector: &'static str,
    verdict: &'static str,
    deadlock: bool,
    races: Vec<RaceReport>,
    omitted_races: u64,
    waiting: Vec<Waiting>,
    tasks: Vec<Task>,
    output: Vec<Printed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<serde_json::Map<String, serde_json::Value>>,
}

#[derive(Serialize)]
struct RaceReport {
    variable: String,
    class: &'static str,
    exclusion: &'static str,
    first: Side,
    second: Side,
}

#[derive(Serialize)]
struct Side {
    line: u32,
    column: u32,
    access: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<&'static str>,
    task: String,
}

#[derive(Serialize)]
struct Waiting {
    task: String,
    line: u32,
    column: u32,
    waits_for: String,
}

#[derive(Serialize)]
struct Task {
    name: String,
    kind: &'static str,
    parent: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct Printed {
    task: String,
    text: String,
}

#[derive(Serialize)]
struct Failure {
    message: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Counts {
    tasks: u64,
    events: u64,
    accesses: u64,
}

impl Report {
    /// The report of a check that was carried out.
    pub fn of(
        source: &Source,
        detector: &'static str,
        verdict: &'static str,
        check: &Check<'_>,
        with_stats: bool,
    ) -> Self {
        let machine = &check.machine;
        let program = machine.program();
        let at = |span: Span| source.position(span.start);
        let side = |place: Place| {
            let position = at(program.span(place.site));
            Side {
                line: position.line,
                column: position.column,
                access: place.access.describe(),
                operator: operator(place),
                task: task_name(place.task),
            }
        };
        let race = |race: &Race| RaceReport {
            variable: variable(machine, race.location),
            class: race.class().name(),
            exclusion: race.exclusion.name(),
            first: side(race.first),
            second: side(race.second),
        };
        let waiting = match &check.outcome {
            Outcome::Deadlock(stuck) => stuck.as_slice(),
            _ => &[],
        };
        let failure = super::check::failure(check);
        Self {
            schema: "rosser-model-check",
            version: VERSION,
            file: source.name().to_owned(),
            detector,
            verdict,
            deadlock: !waiting.is_empty(),
            races: check.races.iter().map(race).collect(),
            omitted_races: check.omitted,
            waiting: waiting
                .iter()
                .map(|stuck| Waiting {
                    task: task_name(stuck.task),
                    line: at(program.span(stuck.site)).line,
                    column: at(program.span(stuck.site)).column,
                    waits_for: describe_wait(machine, stuck.wait),
                })
                .collect(),
            tasks: involved(check)
                .into_iter()
                .map(|task| {
                    let state = &machine.tasks()[task.index()];
                    let start = state.parent.map(|_| at(program.span(state.site)));
                    Task {
                        name: task_name(task),
                        kind: if start.is_some() { task_word(state.kind) } else { "main" },
                        parent: state.parent.map(task_name),
                        line: start.map(|start| start.line),
                        column: start.map(|start| start.column),
                    }
                })
                .collect(),
            output: machine
                .output()
                .iter()
                .map(|(task, text)| Printed { task: task_name(*task), text: text.clone() })
                .collect(),
            error: failure.map(|error| Failure {
                line: at(error.span).line,
                column: at(error.span).column,
                message: error.message,
            }),
            counts: Some(Counts {
                tasks: machine.tasks().len() as u64,
                events: check.counts.events,
                accesses: check.counts.accesses,
            }),
            stats: with_stats.then(|| {
                check
                    .stats
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).into()))
                    .collect()
            }),
        }
    }

    /// The report of a file that could not be checked.
    pub fn invalid(
        file: String,
        source: Option<&Source>,
        detector: &'static str,
        error: &Diagnostic,
    ) -> Self {
        let position = source.map(|source| source.position(error.span.start));
        Self {
            schema: "rosser-model-check",
            version: VERSION,
            file,
            detector,
            verdict: "error",
            deadlock: false,
            races: Vec::new(),
            omitted_races: 0,
            waiting: Vec::new(),
            tasks: Vec::new(),
            output: Vec::new(),
            error: Some(Failure {
                message: error.message.clone(),
                line: position.map_or(0, |position| position.line),
                column: position.map_or(0, |position| position.column),
            }),
            counts: None,
            stats: None,
        }
    }

    /// The report as one line.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("plain data serialises");
        line.push('\n');
        line
    }
}

fn operator(place: Place) -> Option<&'static str> {
    match place.access {
        rosser_detect::Access::Update(operator) | rosser_detect::Access::Fetch(operator) => {
            Some(operator.symbol())
        }
        _ => None,
    }
}

/// The tasks that a report names, with their ancestors.
fn involved(check: &Check<'_>) -> Vec<rosser_detect::TaskId> {
    let mut tasks = std::collections::BTreeSet::new();
    let named = check.races.iter().flat_map(|race| [race.first.task, race.second.task]);
    let stuck = match &check.outcome {
        Outcome::Deadlock(stuck) => stuck.iter().map(|stuck| stuck.task).collect(),
        _ => Vec::new(),
    };
    for task in named.chain(stuck) {
        let mut next = Some(task);
        while let Some(task) = next
            && tasks.insert(task)
        {
            next = check.machine.tasks()[task.index()].parent;
        }
    }
    tasks.into_iter().collect()
}
