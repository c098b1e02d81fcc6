//! `rosser model explore`: every schedule, and what the results have in common.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rosser_model::explore::{Choice, Exploration, Final, FinalState, Limits, explore_with};
use rosser_model::{Program, Source};

use super::{count, grouped, load_or_tell};
use crate::exit;
use crate::rosser::cli::Explore;
use crate::rosser::output;

/// How many final states are shown in full.
const SHOWN: usize = 8;
/// How wide one column of a comparison is.
const WIDTH: usize = 44;

/// Runs every schedule of a program and prints the final states.
pub fn run(args: &Explore) -> u8 {
    let (source, program) = match load_or_tell(&args.file) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let limits = Limits {
        schedules: args.max_schedules,
        steps: args.max_steps,
        total_steps: args.max_total_steps,
        reduction: !args.no_reduction,
    };
    let start = Instant::now();
    let mut last = start;
    let mut out_of_time = false;
    let result = explore_with(&program, limits, |so_far| {
        if start.elapsed() > Duration::from_secs(args.max_seconds) {
            out_of_time = true;
            return ControlFlow::Break(());
        }
        if last.elapsed() > Duration::from_secs(2) {
            last = Instant::now();
            output::note(&format!(
                "… {}, {}\n",
                count(so_far.schedules, "schedule"),
                count(so_far.finals.len() as u64, "final state"),
            ));
        }
        ControlFlow::Continue(())
    });
    let limit = if out_of_time {
        format!("stopped after {}", count(args.max_seconds, "second"))
    } else if result.steps >= limits.total_steps {
        format!("stopped at the limit of {} instructions in all", grouped(limits.total_steps))
    } else if result.steps_exceeded {
        format!("some schedule runs for more than {} instructions", grouped(limits.steps))
    } else {
        format!("stopped at the limit of {}", count(limits.schedules, "schedule"))
    };
    output::print(&report(&source, &program, &result, limits, &limit));
    code(&result)
}

fn code(result: &Exploration) -> u8 {
    match result.finals.as_slice() {
        [_, _, ..] => exit::RACE,
        _ if !result.complete => exit::INCOMPLETE,
        [only] if !only.state.failures.is_empty() => exit::FAILED,
        [only] if !only.state.stuck.is_empty() => exit::STOPPED,
        _ => exit::CLEAN,
    }
}

/// `limit` says what kept the exploration from covering everything, if anything did.
fn report(
    source: &Source,
    program: &Program,
    result: &Exploration,
    limits: Limits,
    limit: &str,
) -> String {
    let states = count(result.finals.len() as u64, "distinct final state");
    let schedules = count(result.schedules, "schedule");
    let mut text = format!("{}: {states} over {schedules}", source.name());
    text.push_str(match (result.complete, limits.reduction) {
        (true, true) if result.schedules == 1 => ", which stands for all\n",
        (true, true) => ", which stand for all\n",
        (true, false) => ", which are all\n",
        (false, _) => "\n",
    });
    let results = result.results();
    if results < result.finals.len() {
        let _ = writeln!(
            text,
            "  {} in memory and output; the others differ in what tasks loaded",
            count(results as u64, "different result"),
        );
    }
    if !result.complete {
        let _ = writeln!(text, "  not all schedules were covered: {limit}");
    }
    let show = Show { source, program };
    for (index, state) in result.finals.iter().take(SHOWN).enumerate() {
        let schedules = count(state.count, "schedule");
        let _ = writeln!(text, "\nfinal state {} ({schedules}):", index + 1);
        text.push_str(&show.state(&state.state, result));
    }
    if result.finals.len() > SHOWN {
        let more = count((result.finals.len() - SHOWN) as u64, "more final state");
        let _ = writeln!(text, "\n… and {more}");
    }
    if let [first, second, ..] = result.finals.as_slice() {
        text.push_str(&show.side_by_side(first, second));
    }
    text
}

/// Whether something is not the same in every final state.
fn differs<T: PartialEq>(result: &Exploration, part: impl Fn(&FinalState) -> T) -> bool {
    let mut parts = result.finals.iter().map(|state| part(&state.state));
    let first = parts.next();
    parts.any(|part| Some(part) != first)
}

struct Show<'a> {
    source: &'a Source,
    program: &'a Program,
}

impl Show<'_> {
    fn state(&self, state: &FinalState, result: &Exploration) -> String {
        let mut text = String::new();
        for failure in &state.failures {
            let error = failure.diagnostic(self.program);
            let line = self.source.position(error.span.start).line;
            let _ = writeln!(text, "  fails at line {line}: {}", error.message);
        }
        for (name, value) in &state.memory {
            let mark = mark(differs(result, |other| other.memory.get(name).cloned()));
            let _ = writeln!(text, "  {} = {value}{mark}", short(name));
        }
        self.loads(state, result, &mut text);
        for stuck in &state.stuck {
            let mark = mark(differs(result, |other| other.stuck.contains(stuck)));
            let _ = writeln!(text, "  deadlock: {}{mark}", self.stuck(stuck));
        }
        for (task, lines) in &state.output {
            let mark = mark(differs(result, |other| other.output.get(task).cloned()));
            let _ = writeln!(text, "  {} prints {}{mark}", task_label(task), lines.join(", "));
        }
        if text.is_empty() {
            text.push_str("  nothing in shared memory\n");
        }
        text
    }

    /// The loads that saw something else in another final state.
    fn loads(&self, state: &FinalState, result: &Exploration, text: &mut String) {
        for (task, loads) in &state.loads {
            for (index, (site, value)) in loads.iter().enumerate() {
                let seen = |other: &FinalState| Some(other.loads.get(task)?.get(index)?.clone());
                if differs(result, seen) {
                    let span = self.program.span(*site);
                    let line = self.source.position(span.start).line;
                    let statement = self.source.slice(span);
                    let task = task_label(task);
                    let _ = writeln!(
                        text,
                        "  {task}, line {line}: `{statement}` saw {value}  ← differs"
                    );
                }
            }
        }
    }

    fn stuck(&self, stuck: &rosser_model::explore::StuckTask) -> String {
        let line = self.source.position(self.program.span(stuck.site).start).line;
        format!("{} at line {line} waits for {}", task_label(&stuck.task), stuck.wait)
    }

    /// Two schedules with different results, and where they part.
    fn side_by_side(&self, first: &Final, second: &Final) -> String {
        let (a, b) = (&first.schedule, &second.schedule);
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let mut text =
            String::from("\nTwo schedules that lead to different states, side by side:\n\n");
        let _ = writeln!(text, "  {:<WIDTH$} │ to final state 2", "to final state 1");
        let _ = writeln!(text, "  {}─┼─{}", "─".repeat(WIDTH), "─".repeat(WIDTH));
        let from = common.saturating_sub(3);
        if from > 0 {
            let _ = writeln!(
                text,
                "  {:<WIDTH$} │",
                format!("… {} alike …", count(from as u64, "choice"))
            );
        }
        let to = a.len().max(b.len()).min(common + 12);
        for index in from..to {
            if index == common {
                let _ = writeln!(text, "  {:<WIDTH$} │ here they part", "here they part");
            }
            let (left, right) = (self.choice(a.get(index)), self.choice(b.get(index)));
            let _ = writeln!(text, "  {left:<WIDTH$} │ {right}");
        }
        let rest = a.len().max(b.len()).saturating_sub(to);
        if rest > 0 {
            let _ = writeln!(
                text,
                "  {:<WIDTH$} │",
                format!("… {} more …", count(rest as u64, "choice"))
            );
        }
        text
    }

    fn choice(&self, choice: Option<&Choice>) -> String {
        let Some(choice) = choice else {
            return String::new();
        };
        let span = self.program.span(choice.site);
        let line = self.source.position(span.start).line;
        let statement = self.source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("{line:>3}  {:<8} {statement}", task_label(&choice.task));
        if text.chars().count() > WIDTH {
            let cut: String = text.chars().take(WIDTH - 1).collect();
            return format!("{cut}…");
        }
        text
    }
}

fn mark(differs: bool) -> &'static str {
    if differs { "  ← differs" } else { "" }
}

/// A task by its path from main.
fn task_label(path: &str) -> String {
    if path == "main" { path.to_owned() } else { format!("task {path}") }
}

/// A variable's name without its maker where main made it, which is nearly always.
fn short(name: &str) -> String {
    match name.split_once(" (main #") {
        Some((variable, rest)) => {
            let index = rest.split_once(')').map_or("", |(_, index)| index);
            format!("{variable}{index}")
        }
        None => name.to_owned(),
    }
}
