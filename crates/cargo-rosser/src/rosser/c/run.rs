//! Running a checked program, and the report.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::{given_settings, setting_argument};
use crate::ending::wait;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::run::{own_code, raise_stack_limit};
use crate::runs::Runs;
use crate::settings::{Layer, SETTINGS, Setting, Settings};
use crate::{cache, exit, report};
use clap::ArgMatches;

/// Settings that have a meaning for a program that is built already.
const NAMES: [&str; 10] = [
    "fail-on",
    "strict",
    "suppressions",
    "builtin-suppressions",
    "baseline",
    "format",
    "output",
    "max-findings",
    "color",
    "stack-size",
];

fn settings() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| NAMES.contains(&setting.name))
}

/// A subcommand with a flag for each of them.
pub fn with_settings(command: clap::Command) -> clap::Command {
    command
        .next_help_heading("Settings (also ROSSER_* variables)")
        .args(settings().map(setting_argument))
}

fn resolve(matches: &ArgMatches) -> Result<Settings> {
    Settings::resolve(&[given_settings(settings(), matches)?, Layer::from_environment()?])
}

/// The runs of programs that are started here.
fn runs() -> Result<Runs> {
    Ok(Runs::new(cache::root()?.join("runs"), &here()))
}

/// Runs a program and reports.
pub fn run(program: &[OsString], matches: &ArgMatches) -> Result<u8> {
    let settings = resolve(matches)?;
    let terminal = Terminal { command: "rosser", ..Terminal::new(&settings, false) };
    report::check(&settings, &here())?;
    let runs = runs()?;
    let run = runs.create(runs.name())?;
    let [name, arguments @ ..] = program else { return Err(Error::usage("no program")) };
    let mut command = Command::new(found(name));
    command.args(arguments).env("ROSSER_RUN_DIR", &run.directory);
    // Tasks with stacks of their own get what threads would have got.
    if let Some(size) = env::var_os("RUST_MIN_STACK") {
        command.env("ROSSER_TASK_STACK", size);
    }
    command.env("RUST_MIN_STACK", settings.stack_size.to_string());
    raise_stack_limit();
    let own = own_code(wait(&mut command, name)?);
    let Some(found) = report::load(&settings, &here(), &run.directory)? else {
        let _ = fs::remove_dir_all(&run.directory);
        terminal
            .error("nothing was checked: was the program linked by `rosser cc` or `rosser c++`?");
        return Ok(if own == exit::CLEAN { exit::NOT_CHECKED } else { own });
    };
    let written = report::write(&found, &settings, terminal, false);
    report::code_if(written, report::code(&found.counts(), settings.fail_on, own), terminal)
}

/// Reports the last run once more.
pub fn report(matches: &ArgMatches) -> Result<u8> {
    let settings = resolve(matches)?;
    let terminal = Terminal { command: "rosser", ..Terminal::new(&settings, false) };
    let Some(found) = report::load(&settings, &here(), &runs()?.last()?.directory)? else {
        terminal.error(report::NOTHING_CHECKED);
        return Ok(exit::NOT_CHECKED);
    };
    let written = report::write(&found, &settings, terminal, matches.get_flag("verbose"));
    report::code_if(written, report::code(&found.counts(), settings.fail_on, exit::CLEAN), terminal)
}

/// Sources are named as seen from here.
fn here() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// A file in the current directory need not be called with `./`.
fn found(name: &OsString) -> PathBuf {
    let path = Path::new(name);
    let is_bare = path.components().count() == 1;
    if is_bare && path.is_file() { Path::new(".").join(path) } else { path.to_owned() }
}
