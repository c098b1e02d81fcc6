//! The command line: built from the tables, and taken apart into what is for us, for cargo and
//! for the program.

mod cargo_flags;
mod subcommand;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

pub use subcommand::Subcommand;

use crate::error::Result;
use crate::exit;
use crate::settings::{Kind, Layer, SETTINGS, Setting};

/// What the user wants.
#[derive(Debug)]
pub struct Invocation {
    /// What to do.
    pub subcommand: Subcommand,
    /// Flags for cargo, except the target directory's.
    pub cargo: Vec<OsString>,
    /// Those of them that every subcommand of cargo has.
    pub common: Vec<OsString>,
    /// Names of tests, before the `--`.
    pub filters: Vec<OsString>,
    /// What comes after the `--`.
    pub arguments: Vec<OsString>,
    /// Settings given as flags.
    pub flags: Layer,
    /// `--package`
    pub packages: Vec<String>,
    /// `--manifest-path`
    pub manifest_path: Option<PathBuf>,
    /// `--target-dir`
    pub target_dir: Option<PathBuf>,
    /// `--target`
    pub target: Option<String>,
    /// `--profile` or `--release`
    pub profile: Option<String>,
    /// Long names of all flags of cargo that were given, and `json`.
    given: Vec<&'static str>,
}

impl Invocation {
    /// Whether a flag of that long name was given.
    pub fn has(&self, flag: &str) -> bool {
        self.given.contains(&flag)
    }

    /// Whether targets were selected, so that cargo does not look for doctests.
    pub fn selects_targets(&self) -> bool {
        TARGETS.iter().any(|flag| self.has(flag))
    }
}

/// Flags of cargo that `cargo metadata` knows, too.
const COMMON: [&str; 5] = ["manifest-path", "locked", "offline", "frozen", "config"];

/// Flags that select targets.
const TARGETS: [&str; 11] = [
    "lib",
    "bins",
    "bin",
    "examples",
    "example",
    "tests",
    "test",
    "benches",
    "bench",
    "all-targets",
    "doc",
];

/// The whole command line.
pub fn command() -> Command {
    let about = "Builds a project instrumented, runs it once in serial order, and reports every \
                 determinacy race for every schedule of that input.";
    let help = format!(
        "The project needs no preparation: no edits, no nightly compiler, no rebuilt standard \
         library.\n\nExamples:\n  cargo rosser run\n  cargo rosser test --workspace\n  \
         cargo rosser report --format json\n\n{}",
        exit::HELP
    );
    let top = Command::new("rosser")
        .bin_name("cargo rosser")
        .version(env!("CARGO_PKG_VERSION"))
        .about(about)
        .after_help(help)
        .subcommand_required(true)
        .arg_required_else_help(true);
    top.subcommands(Subcommand::ALL.map(subcommand))
}

/// The command line of a subcommand.
fn subcommand(which: Subcommand) -> Command {
    let mut command = Command::new(which.name())
        .about(which.about())
        .after_help(which.examples())
        .next_help_heading("Settings (also ROSSER_* variables and [package.metadata.rosser])");
    if which != Subcommand::Clean {
        for setting in SETTINGS {
            command = command.arg(setting_argument(setting));
        }
        command = command.arg(shorthand("fast", "quick", "Short for --mode fast")).arg(shorthand(
            "quick",
            "fast",
            "Short for --mode quick",
        ));
    }
    if which == Subcommand::ShowEnv {
        let help = "Print a JSON object instead of shell commands";
        command = command.arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help(help));
    }
    command = command.next_help_heading("Flags of cargo");
    for flag in cargo_flags::of(which) {
        let action = match (flag.value, flag.long) {
            (Some(_), _) => ArgAction::Append,
            (None, "verbose") => ArgAction::Count,
            (None, _) => ArgAction::SetTrue,
        };
        let mut argument = Arg::new(flag.long).long(flag.long).action(action).help(flag.help);
        if let Some(short) = flag.short {
            argument = argument.short(short);
        }
        if let Some(value) = flag.value {
            argument = argument.value_name(value);
        }
        command = command.arg(argument);
    }
    positional(which, command)
}

/// What is not a flag.
fn positional(which: Subcommand, command: Command) -> Command {
    let many = |name: &'static str, help: &'static str| {
        let parser = clap::value_parser!(OsString);
        Arg::new(name).value_parser(parser).num_args(0..).help(help)
    };
    match which {
        Subcommand::Run => {
            let arguments = many("arguments", "Arguments of the program").value_name("ARGS");
            command.arg(arguments.trailing_var_arg(true))
        }
        Subcommand::Test | Subcommand::Bench | Subcommand::Nextest => command
            .arg(many("filters", "Only tests whose names contain this").value_name("TESTNAME"))
            .arg(many("arguments", "Arguments of the programs").value_name("ARGS").last(true)),
        _ => command,
    }
}

/// `--fast` and `--quick`.
fn shorthand(name: &'static str, other: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .conflicts_with_all(["mode", other])
        .help(help)
}

/// The flag of a setting.
pub fn setting_argument(setting: &'static Setting) -> Arg {
    let help = match setting.shown_default() {
        "" => setting.help.to_owned(),
        default => format!("{} [default: {default}]", setting.help),
    };
    let argument =
        Arg::new(setting.name).long(setting.name).value_name(setting.placeholder()).help(help);
    match setting.kind {
        Kind::Switch => argument
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"])),
        Kind::Choice(words) => argument.value_parser(PossibleValuesParser::new(words)),
        Kind::Number => argument.value_parser(clap::value_parser!(u64).range(0..)),
        Kind::Between(least, most) => {
            argument.value_parser(clap::value_parser!(u64).range(least..=most))
        }
        Kind::File => argument,
        Kind::Files => argument.action(ArgAction::Append),
        Kind::Words => argument.action(ArgAction::Append).value_delimiter(','),
    }
}

/// Takes the command line apart.
pub fn parse(matches: &ArgMatches) -> Result<Invocation> {
    let (name, matches) = matches.subcommand().expect("clap requires one");
    let subcommand = Subcommand::ALL
        .into_iter()
        .find(|subcommand| subcommand.name() == name)
        .expect("clap knows no others");
    let mut cargo = Vec::new();
    let mut common = Vec::new();
    let mut given = Vec::new();
    for flag in cargo_flags::of(subcommand).filter(|flag| flag.long != "target-dir") {
        let mut arguments = Vec::new();
        // The long name of `-Z` is ours alone.
        let spelled: OsString =
            if flag.long == "unstable" { "-Z".into() } else { format!("--{}", flag.long).into() };
        match (flag.value, flag.long) {
            (Some(_), _) => {
                for value in matches.get_many::<String>(flag.long).into_iter().flatten() {
                    arguments.extend([spelled.clone(), value.into()]);
                }
            }
            (None, "verbose") => {
                arguments.extend((0..matches.get_count("verbose")).map(|_| spelled.clone()));
            }
            (None, _) if matches.get_flag(flag.long) => arguments.push(spelled),
            (None, _) => {}
        }
        if !arguments.is_empty() {
            given.push(flag.long);
        }
        if COMMON.contains(&flag.long) {
            common.extend(arguments.iter().cloned());
        }
        cargo.extend(arguments);
    }
    let many = |name| -> Vec<String> {
        let values = matches.try_get_many::<String>(name).ok().flatten();
        values.into_iter().flatten().cloned().collect()
    };
    let raw = |name| -> Vec<OsString> {
        let values = matches.try_get_many::<OsString>(name).ok().flatten();
        values.into_iter().flatten().cloned().collect()
    };
    if subcommand == Subcommand::ShowEnv && matches.get_flag("json") {
        given.push("json");
    }
    let release = given.contains(&"release").then(|| "release".to_owned());
    let profile = if subcommand == Subcommand::Nextest { "cargo-profile" } else { "profile" };
    Ok(Invocation {
        subcommand,
        cargo,
        common,
        filters: raw("filters"),
        arguments: raw("arguments"),
        flags: settings(subcommand, matches)?,
        packages: many("package"),
        manifest_path: many("manifest-path").pop().map(PathBuf::from),
        target_dir: many("target-dir").pop().map(PathBuf::from),
        target: many("target").pop(),
        profile: many(profile).pop().or(release),
        given,
    })
}

/// The settings among the flags.
fn settings(subcommand: Subcommand, matches: &ArgMatches) -> Result<Layer> {
    if subcommand == Subcommand::Clean {
        return Ok(Layer::default());
    }
    let mut layer = given_settings(SETTINGS, matches)?;
    let mode = SETTINGS.iter().find(|setting| setting.name == "mode").expect("it is there");
    for word in ["fast", "quick"].into_iter().filter(|word| matches.get_flag(word)) {
        layer.set(mode, vec![word.to_owned()], "command line")?;
    }
    Ok(layer)
}

/// Those of the given settings that are among the flags.
pub fn given_settings<'a>(
    settings: impl IntoIterator<Item = &'a Setting>,
    matches: &ArgMatches,
) -> Result<Layer> {
    let mut layer = Layer::default();
    for setting in settings {
        let is_number = matches!(setting.kind, Kind::Number | Kind::Between(..));
        let values: Vec<String> = if is_number {
            matches.get_one::<u64>(setting.name).map(u64::to_string).into_iter().collect()
        } else {
            matches.get_many::<String>(setting.name).into_iter().flatten().cloned().collect()
        };
        if !values.is_empty() {
            layer.set(setting, values, "command line")?;
        }
    }
    Ok(layer)
}

#[cfg(test)]
mod tests;
