//! The flags of cargo that are understood and passed on, as one table.
//!
//! They are listed, rather than everything unknown being passed on, because some have to be
//! understood (`--release` changes which profile is adjusted) and because a misspelt flag of ours
//! must not reach cargo.

use crate::cli::Subcommand::{self, Bench, Build, Clean, Nextest, Report, Run, ShowEnv, Test};

/// A flag of cargo.
#[derive(Clone, Copy, Debug)]
pub struct CargoFlag {
    /// The name after `--`.
    pub long: &'static str,
    /// The letter after `-`, if it has one.
    pub short: Option<char>,
    /// What its value is called, if it has one.
    pub value: Option<&'static str>,
    /// The subcommands that have it.
    pub of: &'static [Subcommand],
    /// The line in `--help`.
    pub help: &'static str,
}

const BUILDING: &[Subcommand] = &[Run, Test, Build, Bench, Nextest];
const SELECTING: &[Subcommand] = &[Test, Build, Bench, Nextest];
const EVERY: &[Subcommand] = &[Run, Test, Build, Bench, Nextest, Report, ShowEnv, Clean];
const CONFIGURED: &[Subcommand] = &[Run, Test, Build, Bench, Nextest, ShowEnv];

/// A flag with a long name only.
const fn flag(
    long: &'static str,
    value: Option<&'static str>,
    of: &'static [Subcommand],
    help: &'static str,
) -> CargoFlag {
    CargoFlag { long, short: None, value, of, help }
}

/// A flag with a short name, too.
const fn short(short: char, flag: CargoFlag) -> CargoFlag {
    CargoFlag { short: Some(short), ..flag }
}

/// The flags of cargo that `cargo rosser` hands on.
pub const CARGO_FLAGS: &[CargoFlag] = &[
    short('p', flag("package", Some("SPEC"), EVERY, "Package to work on")),
    flag("workspace", None, SELECTING, "All packages of the workspace"),
    flag("all", None, SELECTING, "The same as --workspace"),
    flag("exclude", Some("SPEC"), SELECTING, "Packages of the workspace to leave out"),
    flag("lib", None, SELECTING, "The library only"),
    flag("bins", None, SELECTING, "All binaries"),
    flag("bin", Some("NAME"), BUILDING, "The binary of that name"),
    flag("examples", None, SELECTING, "All examples"),
    flag("example", Some("NAME"), BUILDING, "The example of that name"),
    flag("tests", None, SELECTING, "Everything that has `test = true`"),
    flag("test", Some("NAME"), SELECTING, "The test target of that name"),
    flag("benches", None, SELECTING, "Everything that has `bench = true`"),
    flag("bench", Some("NAME"), SELECTING, "The bench target of that name"),
    flag("all-targets", None, SELECTING, "All targets"),
    flag("doc", None, &[Test], "The doctests of the library only"),
    flag("no-run", None, &[Test, Bench, Nextest], "Build, but do not run"),
    flag(
        "no-fail-fast",
        None,
        &[Test, Bench, Nextest],
        "Go on after a failure (always on for test)",
    ),
    short('F', flag("features", Some("FEATURES"), CONFIGURED, "Features to activate")),
    flag("all-features", None, CONFIGURED, "Activate all features"),
    flag("no-default-features", None, CONFIGURED, "Do not activate the default feature"),
    short('j', flag("jobs", Some("N"), &[Run, Test, Build, Bench], "Jobs of the build")),
    flag("build-jobs", Some("N"), &[Nextest], "Jobs of the build"),
    flag("test-threads", Some("N"), &[Nextest], "Tests that run at the same time"),
    short('E', flag("filterset", Some("EXPR"), &[Nextest], "Tests to run, as an expression")),
    flag("run-ignored", Some("WHICH"), &[Nextest], "Run ignored tests, too"),
    flag("partition", Some("PART"), &[Nextest], "A part of the tests, as in `hash:1/2`"),
    flag("retries", Some("N"), &[Nextest], "How often a failed test is tried again"),
    flag("cargo-profile", Some("NAME"), &[Nextest], "Build with this profile of cargo"),
    short('P', flag("profile", Some("NAME"), &[Nextest], "Profile of nextest")),
    flag("keep-going", None, &[Run, Build], "Build as much as possible after an error"),
    short(
        'r',
        flag("release", None, &[Run, Test, Build, Nextest, ShowEnv], "With the release profile"),
    ),
    flag("profile", Some("NAME"), &[Run, Test, Build, Bench, ShowEnv], "With this profile"),
    flag("target", Some("TRIPLE"), CONFIGURED, "Build for this target"),
    flag("target-dir", Some("DIR"), EVERY, "Directory for everything that is made"),
    flag("manifest-path", Some("PATH"), EVERY, "Path to Cargo.toml"),
    flag("message-format", Some("FMT"), BUILDING, "How cargo writes its messages"),
    flag("ignore-rust-version", None, BUILDING, "Ignore `rust-version` of packages"),
    flag("timings", None, &[Run, Test, Build, Bench], "Let cargo report how long compiling took"),
    flag("locked", None, EVERY, "Require that Cargo.lock is up to date"),
    flag("offline", None, EVERY, "Do without the network"),
    flag("frozen", None, EVERY, "Both --locked and --offline"),
    flag("config", Some("KEY=VALUE"), EVERY, "Override a setting of cargo"),
    CargoFlag {
        long: "unstable",
        short: Some('Z'),
        value: Some("FLAG"),
        of: BUILDING,
        help: "Unstable flags of cargo",
    },
    short('v', flag("verbose", None, EVERY, "Tell more, in the report, too")),
    short('q', flag("quiet", None, EVERY, "Tell less")),
];

/// The flags that a subcommand has.
pub fn of(subcommand: Subcommand) -> impl Iterator<Item = &'static CargoFlag> {
    CARGO_FLAGS.iter().filter(move |flag| flag.of.contains(&subcommand))
}
