//! A recorded run as a trace.

use rosser_detect::{LocId, SiteId};
use rosser_trace::{About, Place, Trace};
use rosser_validate::Word;

use super::{Ended, Validation};
use crate::check::{task_name, variable};
use crate::source::Source;

impl Validation<'_> {
    /// What a recorder would have written. Only with `is_precise` does it tell in which order accesses were made.
    pub fn trace(&self, source: &Source, is_precise: bool) -> Trace {
        let program = self.machine.program();
        let place = |site: usize| {
            let span = program.span(SiteId(site as u32));
            let position = source.position(span.start);
            let text: Vec<&str> = source.slice(span).split_whitespace().collect();
            Place {
                file: source.name().to_owned(),
                line: position.line,
                column: position.column,
                text: text.join(" "),
            }
        };
        let ended = match self.ended {
            Ended::Finished => "finished",
            Ended::Deadlock => "deadlock",
            Ended::Failed(_) => "failed",
            Ended::StepLimit => "stopped",
        };
        Trace {
            about: About {
                program: source.name().to_owned(),
                recorder: concat!("rosser model validate ", env!("CARGO_PKG_VERSION")).to_owned(),
                ended: ended.to_owned(),
            },
            sites: (0..program.ops().len()).map(place).collect(),
            names: (0..self.machine.memory().len())
                .map(|at| (Word(at as u64), variable(&self.machine, LocId(at as u32))))
                .collect(),
            threads: (0..self.machine.tasks().len())
                .map(|task| task_name(rosser_detect::TaskId::from_index(task)))
                .collect(),
            execution: self.execution.clone(),
            is_precise,
        }
    }
}
