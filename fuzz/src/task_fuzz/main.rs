//! Runs random programs with the library's tasks under the detector, and holds what it finds against
//! what the oracle says of them.
//!
//! For each program: the same instructions in the same order as in the model's serial run, the same
//! values, the same end; and at every location a conflict of the class that the oracle has, or none.
//!
//! ```text
//! cargo rosser run --release --manifest-path fuzz/Cargo.toml -- --cases 100000 --seed 1
//! ```
//!
//! On several workers, with programs that are for them:
//!
//! ```text
//! cargo rosser run --release --workers 2 --manifest-path fuzz/Cargo.toml -- --structured --cases 100000
//! ```
//!
//! Then instructions come in any order; that there is a conflict or none at a location depends on none.
//!
//! The command itself then says that there are races, as there should be. What counts is what the program
//! prints, and its exit code if it is started as `cargo rosser show-env` says: 0 if all agree, 1 if not.

mod interpret;
mod judge;
mod memory;
mod options;

use std::process::ExitCode;
use std::time::Instant;

use expected::{Case, Ending, print, shrink};

use judge::{Agreed, Verdict, judge};
use options::Options;

fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", options::HELP);
            return ExitCode::from(2);
        }
    };
    if !judge::is_checked() {
        eprintln!("nothing is found: start it with `cargo rosser run`");
        return ExitCode::from(2);
    }
    let started = Instant::now();
    let mut summary = Summary::default();
    let cases = options.first..options.first.saturating_add(options.cases);
    for number in cases {
        if options.verbose {
            eprintln!("case {number}");
        }
        let case = match &options.program {
            Some(text) => Case::with_program(text, options.seed, number, options.is_structured),
            None => Ok(Case::new(options.seed, number, options.size, options.is_structured)),
        };
        let case = match case {
            Ok(case) => case,
            Err(problem) => {
                eprintln!("{problem}");
                return ExitCode::from(2);
            }
        };
        match judge(&case.tree, case.way) {
            Verdict::Agreed(agreed) => summary.add(&agreed),
            Verdict::Unfit => summary.skipped += 1,
            Verdict::Wrong(_) => {
                report(&case, number, &options);
                return ExitCode::FAILURE;
            }
        }
    }
    summary.show(started);
    ExitCode::SUCCESS
}

/// Shows a program on which the detector is wrong, as small as it gets.
fn report(case: &Case, number: u64, options: &Options) {
    let wrong = |tree: &_| match judge(tree, case.way) {
        Verdict::Wrong(what) => Some(what),
        _ => None,
    };
    // On several workers it need not happen every time.
    let times = if options.is_structured { 200 } else { 1 };
    let is_wrong = |tree: &_| (0..times).any(|_| wrong(tree).is_some());
    let small = shrink(&case.tree, is_wrong);
    let Options { seed, size, .. } = options;
    let structured = if options.is_structured { "--structured " } else { "" };
    println!(
        "mismatch: {structured}--seed {seed} --size {size} --first {number} --cases 1 ({:?})",
        case.way
    );
    println!("{}", wrong(&case.tree).as_deref().unwrap_or("it does not happen again"));
    println!("made smaller: {}", wrong(&small).as_deref().unwrap_or("it does not happen again"));
    println!("{}", print(&small));
}

/// What was seen.
#[derive(Default)]
struct Summary {
    programs: u64,
    skipped: u64,
    clean: u64,
    data_races: u64,
    order_dependent: u64,
    deadlocks: u64,
    failed: u64,
    milder: u64,
    conflicts: u64,
    constructs: judge::Uses,
}

impl Summary {
    fn add(&mut self, agreed: &Agreed) {
        self.programs += 1;
        match agreed.worst {
            None => self.clean += 1,
            Some(expected::Class::OrderDependent) => self.order_dependent += 1,
            Some(expected::Class::DataRace) => self.data_races += 1,
        }
        self.deadlocks += u64::from(matches!(agreed.ending, Ending::Deadlock(_)));
        self.failed += u64::from(agreed.ending == Ending::Failed);
        self.milder += u64::from(agreed.is_milder);
        self.conflicts += agreed.conflicts;
        self.constructs.add(&agreed.uses);
    }

    fn show(&self, started: Instant) {
        let seconds = started.elapsed().as_secs_f64();
        println!("{} programs agree, {} skipped, {seconds:.1} s", self.programs, self.skipped);
        println!(
            "verdicts: {} clean, {} order-dependent, {} with data races; {} conflicts",
            self.clean, self.order_dependent, self.data_races, self.conflicts
        );
        println!(
            "endings: {} deadlocks, {} stopped early; called too mild because of accesses left out: {}",
            self.deadlocks, self.failed, self.milder
        );
        println!("programs with {}", self.constructs);
    }
}
