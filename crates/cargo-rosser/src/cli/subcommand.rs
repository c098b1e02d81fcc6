//! The subcommands: their names, what they do, and examples.

/// What the user calls `cargo rosser` for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subcommand {
    /// Run a binary or example.
    Run,
    /// Run the tests.
    Test,
    /// Build, and print where the programs are.
    Build,
    /// Run the benchmarks.
    Bench,
    /// Run the tests with nextest.
    Nextest,
    /// Show the last report again.
    Report,
    /// Print the environment.
    ShowEnv,
    /// Remove what was built and reported.
    Clean,
}

impl Subcommand {
    /// All of them, in the order of `--help`.
    pub const ALL: [Self; 8] = [
        Self::Run,
        Self::Test,
        Self::Build,
        Self::Bench,
        Self::Nextest,
        Self::Report,
        Self::ShowEnv,
        Self::Clean,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Test => "test",
            Self::Build => "build",
            Self::Bench => "bench",
            Self::Nextest => "nextest",
            Self::Report => "report",
            Self::ShowEnv => "show-env",
            Self::Clean => "clean",
        }
    }

    /// What it does, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Run => "Run a binary or example once and report every determinacy race",
            Self::Test => "Run the tests and report every determinacy race",
            Self::Build => "Build instrumented and print where the executables are",
            Self::Bench => "Run the benchmarks and report every determinacy race",
            Self::Nextest => "Run the tests with cargo-nextest, each in a process of its own",
            Self::Report => "Show the report of the last run again, in any format",
            Self::ShowEnv => "Print the environment that `cargo rosser run` gives to cargo",
            Self::Clean => "Remove the instrumented builds and the reports",
        }
    }

    /// Examples for `--help`.
    pub fn examples(self) -> &'static str {
        match self {
            Self::Run => {
                "\
Examples:
  cargo rosser run                                 the project's binary
  cargo rosser run --release -- input.txt          with the release profile and an argument
  cargo rosser run --example queens --strict       order-dependence fails, too
  cargo rosser run --format sarif --output r.sarif"
            }
            Self::Test => {
                "\
Examples:
  cargo rosser test                                all tests of the package
  cargo rosser test --workspace --fast             a long-running suite: optimise the run
  cargo rosser test --test integration sorting     one test file, names with `sorting`
  cargo rosser test -- --skip slow                 arguments for the test binaries

The tests run one after the other, so that each finding belongs to a test."
            }
            Self::Build => {
                "\
Examples:
  cargo rosser build --release
  cargo rosser build --quick --tests

An executable that is started by itself leaves its run file in the directory that ROSSER_RUN_DIR
names; `cargo rosser show-env` sets one up."
            }
            Self::Bench => {
                "\
Examples:
  cargo rosser bench
  cargo rosser bench --bench sorting -- small      one benchmark, with a filter"
            }
            Self::Nextest => {
                "\
Examples:
  cargo rosser nextest --workspace
  cargo rosser nextest -E 'test(sort)' --test-threads 2

Flags of cargo and of nextest go to `cargo nextest run`. `--profile` is nextest's, as there;
`--cargo-profile` is cargo's."
            }
            Self::Report => {
                "\
Examples:
  cargo rosser report
  cargo rosser report --format json --output findings.jsonl
  cargo rosser report --format baseline --output rosser.baseline"
            }
            Self::ShowEnv => {
                "\
Examples:
  eval \"$(cargo rosser show-env --quick)\"          then any cargo command is instrumented
  cargo test; cargo rosser report"
            }
            Self::Clean => {
                "Nothing outside the directory `rosser` in the target directory is touched."
            }
        }
    }

    /// Whether the checks are inlined unless somebody says otherwise: test suites are compiled
    /// more often than they are slow.
    pub fn is_fast(self) -> bool {
        !matches!(self, Self::Test | Self::Nextest)
    }
}
