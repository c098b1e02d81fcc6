//! Runs random programs of rayon's tasks under the detector, and holds what it finds against what the oracle
//! says of them: [`answers`] has the programs and the comparison.
//!
//! ```text
//! cargo rosser run --release --manifest-path fuzz/rayon/Cargo.toml -- --cases 50000 --seed 1
//! cargo rosser run --release --workers 2 --manifest-path fuzz/rayon/Cargo.toml -- --cases 50000 --seed 1
//! ```
//!
//! Programs have joins, scopes, spawns into scopes further out, parallel iterators, plain and atomic accesses
//! of all widths to an array, to variables on stacks and to heap blocks, and mutexes. What they do does not
//! depend on what they read. On several workers some pause now and then, so that tasks are stolen.
//!
//! The command itself then says that there are races, as there should be. What counts is what the program
//! prints, and its exit code if it is started as `cargo rosser show-env` says: 0 if all agree, 1 if not.

mod interpret;
mod options;
mod places;
mod summary;

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use answers::{
    Expected, Memory, Mode, Program, Rng, Site, compare, expect, generate, heard, listen, shrink,
};

use interpret::Runner;
use options::Options;
use places::Shared;
use summary::Summary;

/// How often a program is run that goes wrong only at times.
const TRIES: usize = 30;

/// The mutexes, each in a word of its own.
#[repr(align(8))]
struct Locks([Mutex<()>; 2]);

const _: () = assert!(size_of::<Mutex<()>>() == 8);

static LOCKS: Locks = Locks([const { Mutex::new(()) }; 2]);

fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", options::HELP);
            return ExitCode::from(2);
        }
    };
    begin_to_listen();
    let Some(sites) = places::find() else {
        eprintln!("nothing is found: start it with `cargo rosser run`");
        return ExitCode::from(2);
    };
    let judge = Judge { sites, mode: mode() };
    let started = Instant::now();
    let mut summary = Summary::default();
    for case in options.first..options.first.saturating_add(options.cases) {
        let program = generate(&mut Rng::new(options.seed, case), options.size as usize);
        if options.show {
            println!("case {case}\n{program}");
        }
        let expected = expect(&program);
        for _ in 0..options.repeat {
            if let Some(wrong) = judge.run(&program, &expected, &mut summary) {
                report(&judge, &program, case, &options, &wrong);
                return ExitCode::FAILURE;
            }
        }
        summary.add(&program, &expected);
    }
    summary.show(started);
    ExitCode::SUCCESS
}

/// Has the detector tell of conflicts. Without it there is nobody to ask.
fn begin_to_listen() {
    #[cfg(rosser)]
    {
        unsafe extern "C" {
            safe fn rosser_observe(observer: Option<extern "C" fn(&answers::Observed)>);
        }
        rosser_observe(Some(answers::observe));
    }
}

/// How the detector runs tasks: `sf-order` does so in any order, even on one worker.
fn mode() -> Mode {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let is_serial = matches!(variable("ROSSER_WORKERS").as_str(), "" | "1");
    match variable("ROSSER_DETECTOR").as_str() {
        "" | "auto" if is_serial => Mode::Serial,
        detector if is_serial && detector != "sf-order" => Mode::Paper,
        _ => Mode::Parallel,
    }
}

/// Runs programs.
struct Judge {
    sites: HashMap<usize, Site>,
    mode: Mode,
}

impl Judge {
    /// Runs a program. What is wrong, if something is.
    fn run(&self, program: &Program, expected: &Expected, summary: &mut Summary) -> Option<String> {
        let mut words: Box<[u64; answers::WORDS]> = Box::new([0; answers::WORDS]);
        let array = Shared(words.as_mut_ptr().cast());
        let locks = [0, 1].map(|lock| &raw const LOCKS.0[lock] as usize);
        listen(Memory { array: array.0 as usize, locks });
        Runner { array, locks: &LOCKS.0, mode: self.mode }.run(program);
        let heard = heard();
        summary.hear(&heard);
        compare(expected, &heard, &self.sites, self.mode)
    }

    /// Runs a program until something is wrong, but not for ever.
    fn run_often(&self, program: &Program) -> Option<String> {
        let expected = expect(program);
        let tries = if self.mode == Mode::Parallel { TRIES } else { 1 };
        (0..tries).find_map(|_| self.run(program, &expected, &mut Summary::default()))
    }
}

/// Shows a program on which the detector is wrong, as small as it gets.
fn report(judge: &Judge, program: &Program, case: u64, options: &Options, wrong: &str) {
    let Options { seed, size, .. } = options;
    println!("mismatch: --seed {seed} --size {size} --first {case} --cases 1\n{wrong}\n{program}");
    let small = shrink(program, |program| judge.run_often(program).is_some());
    let wrong = judge.run_often(&small);
    println!("made smaller: {}", wrong.as_deref().unwrap_or("it does not happen again"));
    println!("{small}");
}
