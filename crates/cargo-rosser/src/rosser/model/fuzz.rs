//! `rosser model fuzz`: random programs against the oracle.

use std::io::IsTerminal;
use std::time::Instant;

use rosser_model::fuzz::{Failure, Options, Plan, Seen, fuzz, fuzz_validated};

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
    let progress = |done| {
        if show {
            output::note(&format!("\r{} of {}", grouped(done), count(args.cases, "case")));
        }
    };
    let clear = || {
        if show {
            output::note("\r                                        \r");
        }
    };
    if args.validate {
        let (seen, failure) = fuzz_validated(&plan, progress);
        clear();
        output::print(&validated(&seen, start.elapsed().as_secs_f64(), args));
        return tell(args, failure.as_ref());
    }
    let summary = fuzz(&plan, progress);
    clear();
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
    tell(args, summary.failure.as_ref())
}

/// What was seen when `validate` was held against every state.
fn validated(seen: &Seen, seconds: f64, args: &Fuzz) -> String {
    let found = seen.found;
    let share = |part: u64| {
        format!("{:>5.1} %  {}", 100.0 * part as f64 / found.possible.max(1) as f64, grouped(part))
    };
    [
        format!(
            "{} (seed {}, size {}) in {seconds:.1} s",
            count(seen.executions, "random execution"),
            args.seed,
            args.size
        ),
        format!("  {} apparent, {} happened", count(seen.apparent, "race"), grouped(seen.happened)),
        format!(
            "  {} feasible, each tried by going through all orders; {} tangled",
            grouped(seen.feasible),
            grouped(seen.tangled)
        ),
        format!("  {} proved, each schedule taken by the machine", grouped(seen.proved)),
        format!("  {} gone through state by state:", count(seen.explored, "program")),
        format!("    {} possible in some schedule", count(found.possible, "race")),
        format!("    {}  whose places the recorded run came to", share(found.reached)),
        format!("    {}  left open by order alone", share(found.by_order)),
        format!("             ({} more that are in no schedule)", grouped(found.false_by_order)),
        format!("    {}  feasible or proved", share(found.feasible)),
        format!("    {}  proved by ideals", share(found.by_ideals)),
        format!("    {}  proved, with a reversal", share(found.with_reversal)),
        format!("    {}  proved, if the order of racing accesses is known", share(found.precise)),
        String::new(),
    ]
    .join("\n")
}

/// Tells of a mismatch, if there is one, and gives the exit code.
fn tell(args: &Fuzz, failure: Option<&Failure>) -> u8 {
    let Some(failure) = failure else {
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
