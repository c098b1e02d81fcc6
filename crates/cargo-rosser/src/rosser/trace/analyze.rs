//! `rosser analyze`: which races of a trace are real.

use std::fmt::Write;

use rosser_trace::Trace;
use rosser_validate::{ActionId, Analysis, Options, Race, Verdict, Witness, analyse};

use super::{load, name, place, tell_problems, who};
use crate::exit;
use crate::rosser::cli::Analyze;
use crate::rosser::output;
use crate::rosser::verdicts::{depends, why, word};

/// The most lines of a schedule that are shown.
const MOST_LINES: usize = 30;

/// Reads a trace and prints what it shows.
pub fn run(args: &Analyze) -> u8 {
    let summary = match load(&args.file) {
        Ok(summary) => summary,
        Err(message) => {
            output::note(&message);
            return exit::USAGE;
        }
    };
    tell_problems(&summary);
    let trace = &summary.trace;
    let (pairing, precise) = (args.pairing.into(), trace.is_precise);
    let analysis = analyse(&trace.execution, Options { pairing, precise, ..Options::default() });
    let mut text = String::new();
    for (at, race) in analysis.races.iter().enumerate() {
        if race.verdict != Verdict::Impossible || args.all {
            show(&mut text, trace, &analysis, at, race);
        }
    }
    closing(&mut text, trace, &analysis);
    output::print(&text);
    if analysis.races.iter().any(|race| race.verdict != Verdict::Impossible) {
        exit::RACE
    } else if summary.problems.is_empty() {
        exit::CLEAN
    } else {
        exit::INCOMPLETE
    }
}

fn access(trace: &Trace, id: ActionId) -> &'static str {
    let touched = trace.execution.action(id).act.touched();
    touched.expect("only accesses race").1.describe()
}

fn show(text: &mut String, trace: &Trace, analysis: &Analysis, at: usize, race: &Race) {
    let (a, b) = race.pairs[0];
    let touched = trace.execution.action(a).act.touched();
    let variable = name(trace, touched.expect("only accesses race").0);
    let verdict = word(race.verdict);
    let [one, other] = [a, b].map(|id| format!("{} by {}", access(trace, id), who(trace, id)));
    let _ = writeln!(text, "error[{verdict}]: {}: {one} and {other} of `{variable}`", at + 1);
    for id in [a, b] {
        let _ = writeln!(text, "  {}: {}", who(trace, id), place(trace, id));
    }
    let _ = writeln!(text, "  = {}", why(race));
    if let Some(tangle) = race.tangle.filter(|_| matches!(race.verdict, Verdict::Tangled(_))) {
        let shown =
            analysis.races.iter().any(|it| it.tangle == Some(tangle) && it.witness.is_some());
        let note = if shown { "" } else { "; no race of this tangle was shown" };
        let _ = writeln!(text, "  = it belongs to tangle {}{note}", tangle + 1);
    }
    if !race.depends_on.is_empty() {
        let _ = writeln!(text, "  = {}", depends(race));
    }
    if let Some(witness) = &race.witness {
        schedule(text, trace, witness);
    }
    text.push('\n');
}

/// A schedule as a person reads it.
fn schedule(text: &mut String, trace: &Trace, witness: &Witness) {
    let left_out = witness.schedule.len().saturating_sub(MOST_LINES);
    if !witness.schedule.is_empty() {
        let _ = writeln!(text, "  = in this order:");
    }
    if left_out > 0 {
        let _ = writeln!(text, "      … {left_out} actions before");
    }
    for &id in &witness.schedule[left_out..] {
        let _ = writeln!(text, "      {:<6} {}", who(trace, id), place(trace, id));
    }
    let then = if witness.schedule.is_empty() {
        "both are next at the start"
    } else {
        "then both are next"
    };
    let _ = writeln!(text, "    {then}:");
    for id in [witness.first, witness.second] {
        let _ = writeln!(text, "      {:<6} {}", who(trace, id), place(trace, id));
    }
}

fn closing(text: &mut String, trace: &Trace, analysis: &Analysis) {
    let apparent = analysis.races.iter().filter(|race| race.is_apparent).count();
    let predicted = analysis.races.len() - apparent;
    let (threads, actions) = (trace.execution.thread_count(), trace.execution.actions().len());
    if analysis.races.is_empty() {
        let _ = writeln!(text, "no apparent race in this execution, and none predicted");
    } else {
        let _ = writeln!(text, "apparent races: {apparent}, predicted: {predicted}");
    }
    let _ = writeln!(text, "threads: {threads}, actions: {actions}, tangles: {}", analysis.tangles);
    if analysis.cut_off > 0 {
        let _ = writeln!(text, "pairs of accesses not tried for prediction: {}", analysis.cut_off);
    }
}
