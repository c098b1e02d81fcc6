//! `rosser model validate`: a recorded run, and which of its races are real.

use std::collections::BTreeMap;
use std::fmt::Write;

use rosser_detect::SiteId;
use rosser_model::check::task_name;
use rosser_model::validate::{Ended, Validation, View as Grouping, validate};
use rosser_model::{Diagnostic, Source, Span};
use rosser_validate::{ActionId, Options, Race, Verdict, Witness};

use super::snippet::{Mark, Message, Severity, error, render};
use super::validate_json::Report;
use super::{count, load_or_tell};
use crate::exit;
use crate::rosser::cli::{Format, Validate, View};
use crate::rosser::output;
use crate::rosser::verdicts::{depends, why, word};

/// The most events that are drawn.
const MOST_DRAWN: usize = 400;

/// The most lines of a schedule that are shown.
const MOST_LINES: usize = 30;

/// Records a run, and prints what it shows.
pub fn run(args: &Validate) -> u8 {
    let (source, program) = match load_or_tell(&args.file) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    if program.sees_old_values() {
        output::note(
            "error: an accumulation names the old value, which recorded runs do not know\n",
        );
        return exit::USAGE;
    }
    let view = match args.view {
        View::Access => Grouping::Access,
        View::Object => Grouping::Object,
        View::Segment => Grouping::Segment,
    };
    let pairing = args.pairing.into();
    let options = Options { pairing, precise: args.precise, ..Options::default() };
    let validation = validate(&program, view, args.seed, args.max_steps, options);
    if let Some(path) = &args.record
        && let Err(message) =
            crate::rosser::trace::save(&validation.trace(&source, args.precise), path)
    {
        output::note(&message);
        return exit::USAGE;
    }
    let text = Text { source: &source, validation: &validation, args };
    if args.format == Format::Json {
        output::print(&Report::of(&source, &validation, args).line());
    } else {
        output::print(&text.report());
    }
    if let Some(path) = &args.draw {
        let Some(picture) = validation.picture(&source, MOST_DRAWN) else {
            output::note(&format!(
                "error: more than {MOST_DRAWN} events; nobody could read the picture\n"
            ));
            return exit::INCOMPLETE;
        };
        if let Err(error) = std::fs::write(path, picture.to_svg()) {
            output::note(&format!("error: cannot write {}: {error}\n", path.display()));
            return exit::USAGE;
        }
    }
    code(&validation)
}

fn code(validation: &Validation<'_>) -> u8 {
    let races = &validation.analysis.races;
    if races.iter().any(|race| race.verdict != Verdict::Impossible) {
        return exit::RACE;
    }
    match validation.ended {
        Ended::Finished => exit::CLEAN,
        Ended::Deadlock => exit::STOPPED,
        Ended::Failed(_) => exit::FAILED,
        Ended::StepLimit => exit::INCOMPLETE,
    }
}

/// The report for people.
struct Text<'a> {
    source: &'a Source,
    validation: &'a Validation<'a>,
    args: &'a Validate,
}

impl Text<'_> {
    fn report(&self) -> String {
        let mut text = String::new();
        let races = &self.validation.analysis.races;
        let mut told = vec![false; races.len()];
        for (at, race) in races.iter().enumerate() {
            if told[at] || (race.verdict == Verdict::Impossible && !self.args.all) {
                continue;
            }
            if let Some(tangle) = race.tangle
                && !self.args.precise
            {
                let members: Vec<usize> =
                    (0..races.len()).filter(|it| races[*it].tangle == Some(tangle)).collect();
                text.push_str(&self.tangle(tangle, &members));
                for member in members {
                    told[member] = true;
                }
            } else {
                let alike: Vec<usize> =
                    (at..races.len()).filter(|other| self.is_alike(race, &races[*other])).collect();
                text.push_str(&self.race(at, alike.len() - 1));
                for other in alike {
                    told[other] = true;
                }
            }
        }
        if let Ended::Failed(failure) = &self.validation.ended {
            text.push_str(&error(
                self.source,
                &failure.diagnostic(self.validation.machine.program()),
            ));
        }
        text.push_str(&self.closing());
        text
    }

    /// Whether two races are at the same places, so that one message is enough.
    fn is_alike(&self, a: &Race, b: &Race) -> bool {
        let key = |race: &Race| {
            let (first, second) = race.pairs[0];
            let of = |id| {
                let action = self.validation.execution.action(id);
                (action.site, action.act.touched().map(|(_, access)| access))
            };
            let depends = race.depends_on.is_empty();
            (of(first), of(second), word(race.verdict), race.is_apparent, race.possibility, depends)
        };
        let free = |race: &Race| race.tangle.is_none() || self.args.precise;
        free(a) && free(b) && key(a) == key(b)
    }

    fn span(&self, id: ActionId) -> Span {
        let site = SiteId(self.validation.execution.action(id).site.0);
        self.validation.machine.program().span(site)
    }

    fn line(&self, id: ActionId) -> u32 {
        self.source.position(self.span(id).start).line
    }

    fn who(&self, id: ActionId) -> String {
        task_name(self.validation.task(id))
    }

    fn access(&self, id: ActionId) -> &'static str {
        let touched = self.validation.execution.action(id).act.touched();
        touched.expect("only accesses race").1.describe()
    }

    /// `read of head by t1 and write by t2`
    fn conflict(&self, race: &Race) -> String {
        let (a, b) = race.pairs[0];
        let variable = self.validation.variable_of(a);
        let (one, other) = (self.access(a), self.access(b));
        format!("{one} of `{variable}` by {} and {other} by {}", self.who(a), self.who(b))
    }

    fn marks(&self, race: &Race) -> Vec<Mark> {
        let (a, b) = race.pairs[0];
        if self.span(a) == self.span(b) {
            let label = format!("{} here, by {} and {}", self.access(a), self.who(a), self.who(b));
            return vec![Mark { span: self.span(a), label, primary: true }];
        }
        let mark = |id, primary| Mark {
            span: self.span(id),
            label: format!("{} by {}", self.access(id), self.who(id)),
            primary,
        };
        vec![mark(a, false), mark(b, true)]
    }

    fn race(&self, at: usize, more: usize) -> String {
        let race = &self.validation.analysis.races[at];
        let mut notes = vec![why(race)];
        if more > 0 {
            notes.push(format!("{} at the same places", count(more as u64, "more race")));
        }
        if !race.depends_on.is_empty() {
            notes.push(depends(race));
        }
        if let Some(witness) = &race.witness {
            notes.push(self.schedule(witness));
        }
        let severity = match race.verdict {
            Verdict::Impossible => Severity::Warning,
            _ => Severity::Error,
        };
        let title = format!("{}: {}", at + 1, self.conflict(race));
        let (id, marks) = (Some(word(race.verdict)), self.marks(race));
        render(self.source, &Message { severity, id, title, marks, notes, help: None })
    }

    /// A tangle is one message with its races as members.
    fn tangle(&self, tangle: u32, members: &[usize]) -> String {
        let races = &self.validation.analysis.races;
        let shown = members.iter().find(|it| races[**it].witness.is_some());
        let first = &races[*shown.unwrap_or(&members[0])];
        let mut notes = Vec::new();
        for at in members {
            let race = &races[*at];
            let (a, b) = race.pairs[0];
            let mut note = format!(
                "{}: {}, lines {} and {}",
                at + 1,
                self.conflict(race),
                self.line(a),
                self.line(b)
            );
            if race.witness.is_some() {
                note.push_str(": proved");
            }
            notes.push(note);
        }
        if members.len() > 1 {
            notes.push("each of these may be there only because of how another one went".into());
        }
        notes.extend((!first.depends_on.is_empty()).then(|| depends(first)));
        match &first.witness {
            Some(witness) => notes.push(self.schedule(witness)),
            None => notes.push("no race of this tangle was shown".to_owned()),
        }
        let title = format!("tangle {} of {}", tangle + 1, count(members.len() as u64, "race"));
        let marks = self.marks(first);
        let id = Some("tangled");
        render(
            self.source,
            &Message { severity: Severity::Error, id, title, marks, notes, help: None },
        )
    }

    /// A schedule as a person reads it: who goes on, by which lines.
    fn schedule(&self, witness: &Witness) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut previous = None;
        for &id in &witness.schedule {
            let action = self.validation.execution.action(id);
            let step = (action.thread, action.site);
            // The end of a scope is one statement, however many tasks it waits for.
            if previous != Some(step) || action.act.touched().is_some() {
                let statement = self.validation.statement(self.source, id);
                lines.push(format!("  {:<5} {statement}", self.who(id)));
            }
            previous = Some(step);
        }
        let left_out = lines.len().saturating_sub(MOST_LINES);
        if left_out > 0 {
            let what = count(left_out as u64, "statement");
            lines.drain(..left_out);
            lines.insert(0, format!("  … {what} before"));
        }
        let next = [witness.first, witness.second].map(|id| {
            format!("  {:<5} {}", self.who(id), self.validation.statement(self.source, id))
        });
        let then =
            if lines.is_empty() { "both are next at the start:" } else { "then both are next:" };
        let mut text = String::new();
        if !lines.is_empty() {
            text.push_str("in this order:\n");
            text.push_str(&lines.join("\n"));
            text.push('\n');
        }
        format!("{text}{then}\n{}", next.join("\n"))
    }

    fn closing(&self) -> String {
        let analysis = &self.validation.analysis;
        let races = &analysis.races;
        let threads = self.validation.execution.thread_count() as u64;
        let events = analysis.events.len() as u64;
        let name = self.source.name();
        let of = format!("{} of {}", count(events, "event"), count(threads, "task"));
        let mut words: BTreeMap<&str, u64> = BTreeMap::new();
        for race in races {
            *words.entry(word(race.verdict)).or_default() += 1;
        }
        let mut text = if races.is_empty() {
            format!("{name}: no apparent race in this execution ({of}), and none predicted\n")
        } else {
            let apparent = races.iter().filter(|race| race.is_apparent).count() as u64;
            let predicted = races.len() as u64 - apparent;
            let words: Vec<String> =
                words.iter().map(|(word, count)| format!("{count} {word}")).collect();
            format!(
                "{name}: {}, {predicted} predicted; {} ({of})\n",
                count(apparent, "apparent race"),
                words.join(", ")
            )
        };
        match self.validation.ended {
            Ended::Deadlock => {
                text.push_str("  the run deadlocked; this is what happened until then\n");
            }
            Ended::StepLimit => {
                text.push_str("  the run was stopped at the limit of instructions\n");
            }
            Ended::Finished | Ended::Failed(_) => {}
        }
        if analysis.cut_off > 0 {
            let cut = count(analysis.cut_off as u64, "pair");
            let _ = writeln!(text, "  {cut} of accesses not tried for prediction");
        }
        text
    }
}

/// Why a program could not be run to its end, for the JSON report.
pub fn failure(validation: &Validation<'_>) -> Option<Diagnostic> {
    match &validation.ended {
        Ended::Failed(failure) => Some(failure.diagnostic(validation.machine.program())),
        _ => None,
    }
}
