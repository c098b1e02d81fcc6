//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rosser_detect::{Construct, DetectorKind};
use rosser_model::fuzz::Correction;
use rosser_validate::Pairing;

/// Finds determinacy races in task-parallel programs: one run answers for every schedule.
#[derive(Debug, Parser)]
#[command(name = "rosser", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The groups of commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Work with programs in the model language (.tp3)
    #[command(subcommand)]
    Model(Model),
    /// Compile or link a C program to be checked: takes the arguments of `cc`
    #[command(disable_help_flag = true, after_help = CC)]
    Cc(Compiler),
    /// Compile or link a C++ program to be checked: takes the arguments of `c++`
    #[command(name = "c++", disable_help_flag = true, after_help = CC)]
    Cpp(Compiler),
    /// Run a program that was linked by `rosser cc` or `rosser c++`, and report
    #[command(after_help = crate::exit::HELP)]
    Run(Run),
    /// Report the last run once more
    Report(Report),
    /// Look into a trace: a recorded execution with threads
    #[command(subcommand)]
    Trace(Trace),
    /// Say which races of a recorded execution are real
    #[command(after_help = VALIDATE)]
    Analyze(Analyze),
    /// Print the variables that have builds compile with `rosser cc` and `rosser c++`
    #[command(after_help = SHOW_ENV)]
    ShowEnv,
}

const CC: &str = "\
The compiler is the one that ROSSER_CC or ROSSER_CXX names, or else CC or CXX if that is not Rosser itself, or
else cc or c++; gcc and clang are supported. Headers of the task library are found by themselves:
`#include <rosser.h>`, `#include <rosser.hpp>`.

  rosser cc -O1 pipeline.c -o pipeline
  rosser run ./pipeline

  make CC='rosser cc' CXX='rosser c++'";

const SHOW_ENV: &str = "\
They name two executables, rosser-cc and rosser-c++, because some builds want a path and not a command; and the
compilers that those call in turn.

  eval \"$(rosser show-env)\"
  cmake -B build && cmake --build build
  rosser run build/program";

/// `rosser cc` and `rosser c++`
#[derive(Debug, Args)]
pub struct Compiler {
    /// What the compiler is called with
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub arguments: Vec<OsString>,
}

/// `rosser run`
#[derive(Debug, Args)]
pub struct Run {
    /// The program and its arguments
    #[arg(trailing_var_arg = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
}

/// `rosser report`
#[derive(Debug, Args)]
pub struct Report {
    /// Show whole stacks
    #[arg(long, short)]
    pub verbose: bool,
}

/// Commands for the model language.
#[derive(Debug, Subcommand)]
pub enum Model {
    /// Run programs once and report every determinacy race
    #[command(after_help = EXIT_CODES)]
    Check(Check),
    /// Run every schedule of a small program and compare the final states
    Explore(Explore),
    /// Draw the computation graph or the task tree of a run
    Graph(Graph),
    /// Record one run in random order, as if tasks were threads, and say which of its races are real
    Validate(Validate),
    /// Hold the detectors against the oracle on random programs
    Fuzz(Fuzz),
}

const EXIT_CODES: &str = "\
Exit codes: 0 clean (order-dependence is a warning), 66 race, 3 deadlock without a race,
5 the limit was reached without a race, 1 invalid or failing program, 2 usage. With several files
the most telling one.";

/// `rosser model check`
#[derive(Debug, Args)]
pub struct Check {
    /// Programs to check; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The algorithm
    #[arg(long, value_parser = detectors(), default_value = DetectorKind::Auto.name())]
    pub detector: DetectorKind,
    /// Text for people, or one JSON object per file and line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Treat order-dependence as a race
    #[arg(long)]
    pub strict: bool,
    /// Also print what the run cost the detector
    #[arg(long)]
    pub stats: bool,
    /// Stop a program after this many instructions
    #[arg(long, value_name = "N", default_value_t = rosser_model::check::DEFAULT_MAX_STEPS)]
    pub max_steps: u64,
}

/// `rosser model explore`
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 one final state, 66 several, 3 one and it is a deadlock, 1 invalid or failing
program, 2 usage, 5 a limit was reached and no difference found.")]
pub struct Explore {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Stop after this many schedules
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_schedules: u64,
    /// Stop a schedule after this many instructions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_steps: u64,
    /// Stop after this many instructions in all schedules together
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub max_total_steps: u64,
    /// Stop after this many seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub max_seconds: u64,
    /// Run every interleaving, equivalent ones too
    #[arg(long)]
    pub no_reduction: bool,
}

/// `rosser model graph`
#[derive(Debug, Args)]
pub struct Graph {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What to draw
    #[arg(long, value_enum, default_value_t = What::Computation)]
    pub what: What,
    /// What a node of the computation graph is
    #[arg(long, value_enum, default_value_t = Detail::Step)]
    pub detail: Detail,
    /// Graphviz source, or a picture that needs no other program
    #[arg(long, value_enum, default_value_t = Picture::Svg)]
    pub format: Picture,
    /// Write here instead of to standard output
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Stop the program after this many instructions
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_steps: u64,
}

/// `rosser model validate`
#[derive(Debug, Args)]
#[command(after_help = VALIDATE)]
pub struct Validate {
    /// The program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which random order the run has
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How the operations on a semaphore order each other
    #[arg(long, value_enum, default_value_t = Pairs::Each)]
    pub pairing: Pairs,
    /// Which accesses are one event
    #[arg(long, value_enum, default_value_t = View::Object)]
    pub view: View,
    /// Use the order in which racing accesses were made, which a run of threads alone does not tell
    #[arg(long)]
    pub precise: bool,
    /// Also show what is impossible
    #[arg(long)]
    pub all: bool,
    /// Text for people, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write what was recorded as a trace, for `rosser analyze`; with `--precise` in the order of accesses
    #[arg(long, value_name = "PATH")]
    pub record: Option<PathBuf>,
    /// Draw the run, what ordered it and its races, as SVG
    #[arg(long, value_name = "PATH")]
    pub draw: Option<PathBuf>,
    /// Stop the program after this many instructions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_steps: u64,
}

const VALIDATE: &str = "\
  proved      a schedule, which is shown, leads to where both accesses are next
  feasible    the two events can overlap, with the same dependences
  untangled   no other race is in their way (with `--pairing forced`, or of a damaged trace)
  tangled     may be there only because of other races
  impossible  excluded by the dependences of this run (with `--precise`)

Exit codes: 0 no race, 66 a race that is not impossible, 3 a deadlock and no race, 1 invalid or
failing program, 2 usage, 5 the limit was reached without a race.";

/// `rosser trace`
#[derive(Debug, Subcommand)]
pub enum Trace {
    /// What was recorded, and how much of it is there
    Info(TraceFile),
    /// Every action, in one order
    Dump(TraceFile),
    /// The trace in a format that other tools read
    Export(Export),
}

/// A trace.
#[derive(Debug, Args)]
pub struct TraceFile {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub file: PathBuf,
}

/// `rosser trace export`
#[derive(Debug, Args)]
pub struct Export {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub file: PathBuf,
    /// The STD format of RAPID: threads, locks, reads and writes
    #[arg(long, required = true)]
    pub std: bool,
}

/// `rosser analyze`
#[derive(Debug, Args)]
pub struct Analyze {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub file: PathBuf,
    /// How the operations on a semaphore order each other
    #[arg(long, value_enum, default_value_t = Pairs::Each)]
    pub pairing: Pairs,
    /// Also show what is impossible
    #[arg(long)]
    pub all: bool,
}

/// How semaphores order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Pairs {
    /// Each operation precedes the next on the same semaphore
    Each,
    /// A V precedes the P that it let go on
    Signal,
    /// Only what holds whichever V lets a P go on
    Forced,
}

impl From<Pairs> for Pairing {
    fn from(pairs: Pairs) -> Self {
        match pairs {
            Pairs::Each => Self::Each,
            Pairs::Signal => Self::Signal,
            Pairs::Forced => Self::Forced,
        }
    }
}

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// One access
    Access,
    /// Consecutive accesses to one variable or array
    Object,
    /// All between two synchronisations
    Segment,
}

/// `rosser model fuzz`
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 no mismatch, 1 a mismatch, which is written to a .tp3 file, 2 usage.")]
pub struct Fuzz {
    /// How many programs to try
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub cases: u64,
    /// Where the random numbers start; the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Only these constructs [default: mixtures that fit each detector]
    #[arg(long, value_parser = constructs(), value_delimiter = ',', value_name = "LIST")]
    pub constructs: Vec<Construct>,
    /// About how many statements a program has
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub size: usize,
    /// Run DRDP without one of our corrections: the fuzzer finds the mistake
    #[arg(long, value_enum, value_name = "WHICH")]
    pub uncorrected_drdp: Option<Uncorrected>,
    /// Hold `validate` against every state of the programs instead
    #[arg(long, conflicts_with = "uncorrected_drdp")]
    pub validate: bool,
    /// Where a mismatch is written
    #[arg(long, value_name = "PATH", default_value = "mismatch.tp3")]
    pub output: PathBuf,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// The detectors by their names.
fn detectors() -> impl TypedValueParser<Value = DetectorKind> {
    let possible = DetectorKind::in_model().map(|kind| {
        let written = Construct::WRITTEN.into_iter().filter(|construct| kind.admits(*construct));
        let written: Vec<_> = written.map(Construct::name).collect();
        let class = if written.len() == Construct::WRITTEN.len() {
            "every construct".to_owned()
        } else {
            written.join(", ")
        };
        PossibleValue::new(kind.name()).help(format!("{}: {class}", kind.source()))
    });
    PossibleValuesParser::new(possible)
        .map(|name| DetectorKind::named(&name).expect("only these names are possible"))
}

/// The constructs by their names.
fn constructs() -> impl TypedValueParser<Value = Construct> {
    let names = PossibleValuesParser::new(Construct::WRITTEN.map(Construct::name));
    names.map(|name| {
        let found = Construct::WRITTEN.into_iter().find(|construct| construct.name() == name);
        found.expect("only these names are possible")
    })
}

/// A correction of DRDP to leave out.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Uncorrected {
    /// Merge the empty tasks of promises at the end of a finish
    EmptyTasks,
    /// Look up the ancestors of a least-significant ancestor late
    Lsas,
}

impl From<Uncorrected> for Correction {
    fn from(name: Uncorrected) -> Self {
        match name {
            Uncorrected::EmptyTasks => Self::EmptyTasks,
            Uncorrected::Lsas => Self::CapturedLsas,
        }
    }
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs; see docs/json.md
    Json,
}

/// What a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum What {
    /// Steps, promises and the edges between them
    Computation,
    /// The dynamic program structure tree
    Dpst,
}

/// What a node of the computation graph is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Detail {
    /// A step, with its statements
    Step,
    /// A single statement, with the locals before it
    Statement,
}

/// How a picture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Picture {
    /// Graphviz
    Dot,
    /// SVG
    Svg,
}
