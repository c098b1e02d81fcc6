//! `rosser model check`: one run per file, and what it shows.

use std::fmt::Write;

use rosser_detect::{
    Access, Class, Construct, DetectorKind, Exclusion, Place, Race, SiteId, TaskId,
};
use rosser_model::check::{
    Check, MAX_ORACLE_EVENTS, admit, check, describe_wait, task_name, task_word, variable,
};
use rosser_model::serial::{Outcome, Stuck};
use rosser_model::{Diagnostic, Program, Source, Span};

use super::json::Report;
use super::snippet::{Mark, Message, Severity, error, render};
use super::{Unloadable, count, load, most_telling, name};
use crate::exit;
use crate::rosser::cli::{self, Format};
use crate::rosser::output;

/// Checks every file, prints a report for each, and returns the most telling exit code.
pub fn run(args: &cli::Check) -> u8 {
    let codes = args.files.iter().map(|path| match load(path) {
        Ok((source, program)) => check_file(args, &source, &program),
        Err(problem) => {
            if args.format == Format::Json {
                let detector = args.detector.name();
                let report = match &problem {
                    Unloadable::Unreadable(message) => {
                        let error = Diagnostic::new(message, Span::default());
                        Report::invalid(name(path), None, detector, &error)
                    }
                    Unloadable::Invalid(source, error) => {
                        Report::invalid(name(path), source.as_ref(), detector, error)
                    }
                };
                output::print(&report.line());
            } else {
                problem.tell();
            }
            problem.code()
        }
    });
    most_telling(codes.collect::<Vec<_>>())
}

fn check_file(args: &cli::Check, source: &Source, program: &Program) -> u8 {
    let detector = args.detector;
    let refuse = |refusal: &Diagnostic| {
        if args.format == Format::Json {
            let file = source.name().to_owned();
            output::print(&Report::invalid(file, Some(source), detector.name(), refusal).line());
        } else {
            output::note(&error(source, refusal));
        }
        exit::USAGE
    };
    if let Err(refusal) = admit(program, detector) {
        return refuse(&refusal);
    }
    let result = check(program, detector, args.max_steps);
    if let Some(refusal) = &result.refusal {
        return refuse(refusal);
    }
    let verdict = Verdict::of(&result);
    if args.format == Format::Json {
        let report = Report::of(source, detector.name(), verdict.name(), &result, args.stats);
        output::print(&report.line());
    } else {
        let text = Text { source, check: &result, strict: args.strict };
        output::print(&text.report(verdict, detector, args.stats));
    }
    verdict.code(&result, args.strict)
}

/// What a check amounts to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Clean,
    OrderDependent,
    Race,
    /// Nothing found, but the program failed.
    Error,
}

impl Verdict {
    fn of(check: &Check<'_>) -> Self {
        match check.races.iter().map(Race::class).max() {
            Some(Class::DataRace) => Self::Race,
            _ if failure(check).is_some() => Self::Error,
            Some(Class::OrderDependent) => Self::OrderDependent,
            None => Self::Clean,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::OrderDependent => "order-dependent",
            Self::Race => "race",
            Self::Error => "error",
        }
    }

    fn code(self, check: &Check<'_>, strict: bool) -> u8 {
        match self {
            Self::Race => exit::RACE,
            Self::OrderDependent if strict => exit::RACE,
            Self::Error if check.too_long => exit::INCOMPLETE,
            Self::Error => exit::FAILED,
            _ if matches!(check.outcome, Outcome::Deadlock(_)) => exit::STOPPED,
            Self::OrderDependent | Self::Clean => exit::CLEAN,
        }
    }
}

/// Why the run did not come to an end of its own, if so.
pub fn failure(check: &Check<'_>) -> Option<Diagnostic> {
    let program = check.machine.program();
    if check.too_long {
        let events = super::grouped(check.counts.events);
        let message = format!("{events} task events are too many for this detector");
        let limit = super::grouped(MAX_ORACLE_EVENTS);
        return Some(Diagnostic::new(message, program.span(SiteId(0))).help(format!(
            "the oracle keeps every pair of steps and takes up to {limit} events; use `auto`"
        )));
    }
    match &check.outcome {
        Outcome::Failed(error) => Some(error.diagnostic(program)),
        Outcome::StepLimit(task, site) => Some(
            Diagnostic::new(
                "the program was stopped at the limit of instructions",
                program.span(*site),
            )
            .label(format!("{} was here", task_name(*task)))
            .help("if it is not an endless loop, raise the limit with `--max-steps`"),
        ),
        Outcome::Finished | Outcome::Deadlock(_) => None,
    }
}

/// The report for people.
struct Text<'a> {
    source: &'a Source,
    check: &'a Check<'a>,
    strict: bool,
}

impl Text<'_> {
    fn report(&self, verdict: Verdict, detector: DetectorKind, stats: bool) -> String {
        let mut text = String::new();
        for (task, line) in self.check.machine.output() {
            let _ = writeln!(text, "{} prints {line}", task_name(*task));
        }
        for group in self.groups() {
            text.push_str(&self.race(&group));
        }
        if let Outcome::Deadlock(stuck) = &self.check.outcome {
            text.push_str(&self.deadlock(stuck));
        }
        if let Some(failure) = failure(self.check) {
            text.push_str(&error(self.source, &failure));
        }
        text.push_str(&self.closing(verdict, detector));
        if stats {
            for (name, value) in &self.check.stats {
                let _ = writeln!(text, "  {name}: {}", super::grouped(*value));
            }
        }
        text
    }

    /// Races at the same two places, with the same accesses, are one message.
    fn groups(&self) -> Vec<Vec<&Race>> {
        let mut groups: Vec<Vec<&Race>> = Vec::new();
        let key = |race: &Race| {
            let (first, second) = (race.first, race.second);
            (first.site, first.access, second.site, second.access, race.class())
        };
        let mut index = std::collections::HashMap::new();
        for race in &self.check.races {
            let at = *index.entry(key(race)).or_insert(groups.len());
            if at == groups.len() {
                groups.push(Vec::new());
            }
            groups[at].push(race);
        }
        groups
    }

    fn race(&self, group: &[&Race]) -> String {
        let race = group[0];
        let name = variable(&self.check.machine, race.location);
        let is_race = race.class() == Class::DataRace;
        let mut notes = vec![why(race.exclusion).to_owned()];
        if group.len() > 1 {
            let others: Vec<String> = group[1..]
                .iter()
                .map(|race| variable(&self.check.machine, race.location))
                .take(8)
                .collect();
            let more = if group.len() - 1 > others.len() { ", …" } else { "" };
            let locations = count(group.len() as u64 - 1, "more location");
            notes.push(format!("{locations} at the same places: {}{more}", others.join(", ")));
        }
        let program = self.check.machine.program();
        let mark = |place: Place, which: &str, primary| Mark {
            span: program.span(place.site),
            label: format!("{which}: {} by {}", noun(place.access), self.task(place.task)),
            primary,
        };
        let marks = vec![mark(race.second, "second", true), mark(race.first, "first", false)];
        let severity = if is_race || self.strict { Severity::Error } else { Severity::Warning };
        let (first, second) = (with_article(race.first.access), with_article(race.second.access));
        let title = if is_race {
            format!("data race on `{name}`: {first} in parallel with {second}")
        } else {
            format!("order-dependence on `{name}`: {first} and {second} come in either order")
        };
        let id = Some(race.class().name());
        render(self.source, &Message { severity, id, title, marks, notes, help: None })
    }

    /// A task with where it was started.
    fn task(&self, task: TaskId) -> String {
        let name = task_name(task);
        let state = &self.check.machine.tasks()[task.index()];
        match state.parent {
            None => name,
            Some(parent) => {
                let span = self.check.machine.program().span(state.site);
                let line = self.source.position(span.start).line;
                let parent = task_name(parent);
                format!("{name} ({} at line {line}, from {parent})", task_word(state.kind))
            }
        }
    }

    fn deadlock(&self, stuck: &[Stuck]) -> String {
        let machine = &self.check.machine;
        let shown = &stuck[..stuck.len().min(10)];
        let marks = shown
            .iter()
            .enumerate()
            .map(|(index, stuck)| Mark {
                span: machine.program().span(stuck.site),
                label: format!(
                    "{} waits for {}",
                    self.task(stuck.task),
                    describe_wait(machine, stuck.wait)
                ),
                primary: index == 0,
            })
            .collect();
        let mut notes = vec!["races were checked up to this point".to_owned()];
        if stuck.len() > shown.len() {
            notes.push(format!("{} not shown", count((stuck.len() - shown.len()) as u64, "task")));
        }
        let verb = if stuck.len() == 1 { "waits" } else { "wait" };
        let title = format!("{} {verb} for ever", count(stuck.len() as u64, "task"));
        let id = Some("deadlock");
        let severity = Severity::Error;
        render(self.source, &Message { severity, id, title, marks, notes, help: None })
    }

    /// The verdict in one line, with exactly what was shown.
    fn closing(&self, verdict: Verdict, detector: DetectorKind) -> String {
        let check = self.check;
        let of = |class| check.races.iter().filter(|race| race.class() == class).count() as u64;
        let (races, orders) = (of(Class::DataRace), of(Class::OrderDependent));
        let scope = match &check.outcome {
            _ if check.too_long => "in the part that was checked",
            Outcome::Finished => "in any schedule for this input",
            Outcome::Deadlock(_) => "in any schedule for this input, up to the deadlock",
            Outcome::Failed(_) | Outcome::StepLimit(..) => "up to the point where the run stopped",
        };
        let mut text = format!("{}: ", self.source.name());
        let _ = match verdict {
            Verdict::Race if orders > 0 => {
                write!(text, "{}, {}", count(races, "data race"), order_dependences(orders))
            }
            Verdict::Race => write!(text, "{}", count(races, "data race")),
            Verdict::OrderDependent => {
                let places = count(orders, "place");
                write!(text, "race-free but order-dependent at {places}")
            }
            Verdict::Clean => write!(text, "no determinacy race {scope}"),
            Verdict::Error => write!(text, "failed; no data race {scope}"),
        };
        if check.omitted > 0 {
            let _ = write!(text, " (and {} not kept)", count(check.omitted, "more conflict"));
        }
        let _ = writeln!(
            text,
            "\n  checked by {}: {}, {}, {}",
            detector.name(),
            count(check.machine.tasks().len() as u64, "task"),
            count(check.counts.events, "task event"),
            accesses(check.counts.accesses),
        );
        for caveat in caveats(check, verdict, detector) {
            let _ = writeln!(text, "  note: {caveat}");
        }
        text
    }
}

fn accesses(number: u64) -> String {
    let noun = if number == 1 { "access" } else { "accesses" };
    format!("{} {noun}", super::grouped(number))
}

/// What the verdict does not cover.
fn caveats(check: &Check<'_>, verdict: Verdict, detector: DetectorKind) -> Vec<String> {
    let program = check.machine.program();
    let mut caveats = Vec::new();
    if verdict == Verdict::OrderDependent {
        caveats
            .push("a schedule that takes another order there may run other statements".to_owned());
    }
    if !detector.knows_weak_order() && program.uses(Construct::Isolated) {
        caveats.push(format!(
            "{} does not look for order-dependence between isolated sections",
            detector.name()
        ));
    }
    if program.uses(Construct::Semaphore) {
        caveats.push(
            "which waiting task a semaphore lets go on is up to the schedule and not judged here; \
             `rosser model explore` tries every choice"
                .to_owned(),
        );
    }
    caveats
}

fn order_dependences(number: u64) -> String {
    count(number, "order-dependence")
}

fn with_article(access: Access) -> String {
    let article = match access {
        Access::Read | Access::Write => "a",
        Access::AtomicRead | Access::AtomicWrite | Access::Update(_) | Access::Fetch(_) => "an",
    };
    format!("{article} {}", noun(access))
}

fn noun(access: Access) -> String {
    match access {
        Access::Update(operator) => format!("accumulation with {}", operator.symbol()),
        Access::Fetch(operator) => {
            format!("accumulation with {} whose old value is seen", operator.symbol())
        }
        other => other.describe().to_owned(),
    }
}

fn why(exclusion: Exclusion) -> &'static str {
    match exclusion {
        Exclusion::None => "nothing orders the two: no fork, join or promise, no lock or semaphore",
        Exclusion::CommonLock => {
            "both are in isolated sections, but which comes first depends on the schedule"
        }
        Exclusion::WeakOrder => {
            "ordered in this run by a lock or semaphore, but not in every schedule"
        }
        Exclusion::Atomic => "both are atomic, but the operators do not commute",
    }
}
