//! `rosser model fuzz`: random programs against the oracle.

use std::io::IsTerminal;
use std::time::Instant;

use rosser_model::fuzz::{Options, Plan, fuzz};

use super::{count, grouped};
use crate::exit;
use crate::rosser::cli::Fuzz;
use crate::rosser::output;

/// Programs whose trace is at most this long are explored over all schedules as well.
const EXPLORE_BELOW: u64 = 40;

/// Holds the detectors against the oracle on random programs; writes the first mismatch to a file.
pub fn run(args: &Fuzz) -> u8 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan {
        cases: args.cases,
        seed: args.seed,
        size: args.size,
        constructs: args.constructs.clone(),
        options: Options {
            uncorrected: args.uncorrected_drdp.map(Into::into),
            explore_below: EXPLORE_BELOW,
        },
        threads: args.threads.unwrap_or(cores),
    };
    let start = Instant::now();
    let show = std::io::stderr().is_terminal();
    let summary = fuzz(&plan, |done| {
        if show {
            output::note(&format!("\r{} of {}", grouped(done), count(args.cases, "case")));
        }
    });
    if show {
        output::note("\r                                        \r");
    }
    let seconds = start.elapsed().as_secs_f64();
    let covered = summary.covered;
    output::print(&format!(
        "{} (seed {}, size {}) in {seconds:.1} s\n  {} held against the oracle\n  {} with a conflict, {} that deadlock, {} explored over all schedules\n",
        count(summary.cases, "program"),
        args.seed,
        args.size,
        count(covered.runs, "detector run"),
        grouped(covered.racy),
        grouped(covered.deadlocked),
        grouped(covered.explored),
    ));
    let Some(failure) = summary.failure else {
        output::print("no mismatch\n");
        return exit::CLEAN;
    };
    let (who, what) = (&failure.mismatch.who, &failure.mismatch.what);
    let header = format!("// Case {} of seed {}: {who} {what}\n", failure.case, args.seed);
    output::print(&format!("mismatch: {who} {what}\n\n{}\n", failure.text));
    match std::fs::write(&args.output, format!("{header}{}", failure.text)) {
        Ok(()) => output::note(&format!("written to {}\n", args.output.display())),
        Err(error) => {
            output::note(&format!("error: cannot write {}: {error}\n", args.output.display()));
        }
    }
    exit::FAILED
}
