//! The machine-readable report of `rosser model validate`; documented in docs/json.md.

use rosser_detect::SiteId;
use rosser_model::Source;
use rosser_model::check::task_name;
use rosser_model::validate::{Ended, Validation};
use rosser_validate::precise::Possibility;
use rosser_validate::{ActionId, Race};
use serde::Serialize;

use super::validate::failure;
use crate::rosser::cli::Validate;
use crate::rosser::verdicts::word;

/// Incremented when a field changes its meaning or goes away; new fields do not count.
const VERSION: u32 = 1;

/// The report, a line of JSON.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    version: u32,
    file: String,
    seed: u64,
    ended: &'static str,
    tasks: usize,
    events: usize,
    races: Vec<RaceReport>,
    pairs_not_tried: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct RaceReport {
    number: usize,
    variable: String,
    verdict: &'static str,
    apparent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tangle: Option<u32>,
    depends_on: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    possibility: Option<&'static str>,
    first: Step,
    second: Step,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct Step {
    task: String,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<&'static str>,
}

impl Report {
    /// The report of a recorded run.
    pub fn of(source: &Source, validation: &Validation<'_>, args: &Validate) -> Self {
        let step = |id: ActionId| {
            let action = validation.execution.action(id);
            let span = validation.machine.program().span(SiteId(action.site.0));
            let position = source.position(span.start);
            Step {
                task: task_name(validation.task(id)),
                line: position.line,
                column: position.column,
                access: action.act.touched().map(|(_, access)| access.describe()),
            }
        };
        let race = |(at, race): (usize, &Race)| RaceReport {
            number: at + 1,
            variable: validation.variable_of(race.pairs[0].0),
            verdict: word(race.verdict),
            apparent: race.is_apparent,
            tangle: race.tangle.map(|tangle| tangle + 1),
            depends_on: race.depends_on.iter().map(|at| at + 1).collect(),
            possibility: race.possibility.map(|it| match it {
                Possibility::Happened => "happened",
                Possibility::Possible => "possible",
                Possibility::Impossible => "impossible",
            }),
            first: step(race.pairs[0].0),
            second: step(race.pairs[0].1),
            schedule: race
                .witness
                .as_ref()
                .map(|witness| witness.schedule.iter().map(|id| step(*id)).collect()),
        };
        let analysis = &validation.analysis;
        Self {
            schema: "rosser-model-validate",
            version: VERSION,
            file: source.name().to_owned(),
            seed: args.seed,
            ended: match validation.ended {
                Ended::Finished => "finished",
                Ended::Deadlock => "deadlock",
                Ended::Failed(_) => "failed",
                Ended::StepLimit => "step-limit",
            },
            tasks: validation.execution.thread_count(),
            events: analysis.events.len(),
            races: analysis.races.iter().enumerate().map(race).collect(),
            pairs_not_tried: analysis.cut_off,
            error: failure(validation).map(|error| error.message),
        }
    }

    /// The report as text.
    pub fn line(&self) -> String {
        let text = serde_json::to_string(self).expect("it has no maps with odd keys");
        format!("{text}\n")
    }
}
