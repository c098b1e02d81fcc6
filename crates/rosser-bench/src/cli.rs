//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::cost::child::Protocol;
use crate::cost::subject::Subject;
use crate::cost::table::Selection;
use crate::cost::{growth, one, table};
use crate::format::Format;
use crate::programs::{self, Selection as Selected, Variant};
use crate::trace::TraceKind;
use crate::traversal;

/// What the detectors of Rosser cost.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Nanoseconds per access and per task event, and memory, on generated traces.
    Cost(Cost),
    /// One trace and one detector, in this process; prints one line.
    CostOne(CostOne),
    /// How many tasks the graph searches of DRDP visit, beside the published counts.
    Traversal(Traversal),
    /// Time and memory of checked programs, beside the programs as they are, `ThreadSanitizer`,
    /// Helgrind, and published figures.
    Programs(Programs),
}

#[derive(Debug, Args)]
struct Cost {
    /// About how many accesses each trace has.
    #[arg(long, default_value_t = 10_000_000)]
    accesses: u64,
    /// About how many tasks, and promises, each trace has.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    tasks: u32,
    /// Only what has this in its `trace/detector`.
    #[arg(long, default_value = "")]
    filter: String,
    /// How many times each pair is run; the minimum counts.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// How many seconds one run may take.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// A tenth of the tasks and accesses, one round, five seconds.
    #[arg(long)]
    quick: bool,
    /// Instead, run three sizes and compare them.
    #[arg(long)]
    growth: bool,
    /// How the table is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Debug, Args)]
struct CostOne {
    /// The trace.
    #[arg(long, value_enum)]
    trace: TraceKind,
    /// The detector.
    #[arg(long, value_parser = Subject::named)]
    detector: Subject,
    /// About how many tasks the trace has.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(10..=10_000_000))]
    tasks: u32,
    /// About how many accesses it has.
    #[arg(long, default_value_t = 10_000_000)]
    accesses: u64,
}

#[derive(Debug, Args)]
struct Traversal {
    /// How the table is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Have every task get its promises in the opposite order.
    #[arg(long)]
    reverse_gets: bool,
}

#[derive(Debug, Args)]
struct Programs {
    /// Only programs with this in their name, which begins with their paper's or package's.
    #[arg(long, default_value = "")]
    filter: String,
    /// Only the programs of this package under `examples`.
    #[arg(long, value_parser = programs::PACKAGES)]
    package: Option<String>,
    /// Only these ways of running them, besides the program as it is: workers, empty, tasks, full,
    /// parallel, paper, tsan, helgrind [default: all].
    #[arg(long, value_delimiter = ',', value_parser = variant, value_name = "WAYS")]
    variants: Vec<Variant>,
    /// How large their inputs are.
    #[arg(long, default_value = "small", value_parser = ["tiny", "small", "paper"])]
    size: String,
    /// How many rounds there are; the median counts. The program as it is, and checked, is run up to three
    /// times in each, if that is over soon.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Stop a run that takes longer than this many seconds.
    #[arg(long, default_value_t = 120)]
    patience: u64,
    /// Count instructions as well, on the tiny size: those are the same however busy the machine is. Needs
    /// valgrind [default: unless `--quick` or `--variants` is given]
    #[arg(long)]
    instructions: bool,
    /// Build each package once more, alone, and say what that took: the program, not its dependencies
    /// [default: unless `--quick` or `--variants` is given]
    #[arg(long)]
    building: bool,
    /// One round; unless they are asked for, without Helgrind, the papers' algorithms, checking on
    /// two workers, counts of instructions, and what building takes.
    #[arg(long)]
    quick: bool,
    /// A directory for the table, all figures, and a picture of them.
    #[arg(long, value_name = "DIRECTORY")]
    output: Option<PathBuf>,
    /// The directory of an earlier measurement: how many programs have changed places since?
    #[arg(long, value_name = "DIRECTORY")]
    against: Option<PathBuf>,
}

fn variant(name: &str) -> Result<Variant, String> {
    Variant::named(name).ok_or_else(|| {
        let names = Variant::ALL.map(Variant::name);
        format!("it is one of {}", names.join(", "))
    })
}

impl Cli {
    /// Does what was asked for, and returns what to print.
    pub fn run(self) -> Result<String, String> {
        match self.command {
            Command::Cost(cost) => cost.run(),
            Command::CostOne(pair) => pair.run(),
            Command::Programs(programs) => programs.run(),
            Command::Traversal(traversal) => {
                Ok(traversal::report::table(traversal.reverse_gets).render(traversal.format))
            }
        }
    }
}

impl Cost {
    fn run(self) -> Result<String, String> {
        let shrink = if self.quick { 10 } else { 1 };
        let selection = Selection {
            tasks: self.tasks / shrink,
            accesses: self.accesses / u64::from(shrink),
            filter: self.filter,
        };
        let protocol = if self.quick {
            Protocol { rounds: 1, limit: Duration::from_secs(5) }
        } else {
            Protocol { rounds: self.rounds.max(1), limit: Duration::from_secs(self.limit) }
        };
        if self.growth {
            let tables = growth::tables(&selection, protocol)?;
            Ok(tables.map(|table| table.render(self.format)).join("\n"))
        } else {
            Ok(table::table(&selection, protocol)?.render(self.format))
        }
    }
}

/// What takes too long to be done by the way: `--quick` is over in ten minutes, all builds included.
const NOT_QUICK: [Variant; 3] = [Variant::Parallel, Variant::Paper, Variant::Helgrind];

impl Programs {
    /// The ways to run programs. Everything is compared with the program as it is.
    fn chosen(&self) -> Vec<Variant> {
        let is_chosen = |variant: &Variant| {
            *variant == Variant::Base
                || if self.variants.is_empty() {
                    !self.quick || !NOT_QUICK.contains(variant)
                } else {
                    self.variants.contains(variant)
                }
        };
        Variant::ALL.into_iter().filter(is_chosen).collect()
    }

    fn run(self) -> Result<String, String> {
        let wants_all = !self.quick && self.variants.is_empty();
        programs::measure(&Selected {
            variants: self.chosen(),
            counts_instructions: self.instructions || wants_all,
            measures_building: self.building || wants_all,
            package: self.package,
            filter: self.filter,
            size: self.size,
            rounds: if self.quick { 1 } else { self.rounds },
            patience: Duration::from_secs(self.patience),
            output: self.output,
            against: self.against,
        })
    }
}

impl CostOne {
    fn run(self) -> Result<String, String> {
        if !self.detector.admits(self.trace) {
            let (trace, detector) = (self.trace.name(), self.detector.name());
            return Err(format!("{trace} is outside the class of {detector}"));
        }
        let plan = self.trace.plan(self.tasks, self.accesses);
        Ok(one::measure(self.trace, self.detector, plan).to_line() + "\n")
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, Command, Variant};

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn quick_leaves_out_what_takes_long_unless_it_is_asked_for() {
        let names = |line: &str| -> Vec<&str> {
            let words = ["rosser-bench", "programs"].into_iter().chain(line.split_whitespace());
            let cli = Cli::try_parse_from(words).expect("well formed");
            let Command::Programs(programs) = cli.command else { panic!("another command") };
            programs.chosen().into_iter().map(Variant::name).collect()
        };
        let quick = ["base", "workers", "empty", "tasks", "full", "tsan"];
        assert_eq!(names("--quick"), quick);
        assert_eq!(names("").len(), 9);
        assert_eq!(names("--quick --variants parallel,full"), ["base", "full", "parallel"]);
    }

    #[test]
    fn a_detector_is_kept_to_its_class() {
        let words = ["rosser-bench", "cost-one", "--trace", "stages", "--detector", "sp-bags"];
        let cli = Cli::try_parse_from(words).expect("well formed");
        assert_eq!(cli.run(), Err("stages is outside the class of sp-bags".to_string()));
    }
}
