//! The other roles of this executable: cargo calls it in place of rustc and of rustdoc, and rustc in place of
//! the linker; build scripts call it in place of the C compiler ([`c_compiler`]).
//!
//! As `RUSTC_WRAPPER` it gets the compiler and its arguments, decides what kind of unit is being
//! compiled, and calls the compiler (through the user's own wrapper, if there is one). As
//! `RUSTDOC` it gets rustdoc's arguments and adds to those that run doctests.

pub mod c_compiler;
mod configuration;
mod decide;
pub mod idle;
mod linker;
mod rayon;
mod rayon_tests;
pub mod staged;
mod unit;

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

pub use configuration::{Configuration, VARIABLE};

use crate::cli::Subcommand;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::run::own_code;
use decide::Call;
use unit::Unit;

/// Whether cargo called us as a wrapper, and not the user. The variable alone does not say it:
/// with `show-env` it is set in the user's shell, too.
pub fn is_called_by_cargo(arguments: &[OsString]) -> bool {
    let Some(first) = arguments.first().and_then(|first| first.to_str()) else { return false };
    let by_user = matches!(first, "rosser" | "help" | "-h" | "--help" | "-V" | "--version")
        || Subcommand::ALL.iter().any(|subcommand| subcommand.name() == first);
    !by_user && env::var_os(VARIABLE).is_some()
}

/// Does what cargo wants.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    match call(arguments) {
        Ok(code) => code,
        Err(error) => {
            Terminal::default().error(&error.message);
            ExitCode::from(error.code)
        }
    }
}

fn call(arguments: Vec<OsString>) -> Result<ExitCode> {
    let configuration = Configuration::from_environment()?;
    if let Some(linker) = linker::of_environment() {
        return linker::link(&linker, arguments, &configuration);
    }
    let as_rustdoc = arguments.first().is_some_and(|first| first.as_encoded_bytes()[0] == b'-');
    if as_rustdoc {
        let can_split = decide::runs_doctests(&arguments) && can_split(&configuration);
        return run(&decide::rustdoc(arguments, can_split, &configuration), &configuration);
    }
    // The compiler may be preceded by the wrapper for members of the workspace.
    if arguments.len() <= 3 && arguments.last().is_some_and(|last| last == "-vV") {
        return verbose_version(&arguments, &configuration);
    }
    let unit = Unit::new(&arguments[1..], |name| env::var(name).ok());
    run(&decide::rustc(arguments, &unit, &configuration)?, &configuration)
}

/// Calls the compiler. What is set for the checked program's threads is not for compilers.
fn run(call: &Call, configuration: &Configuration) -> Result<ExitCode> {
    let mut command = Command::new(&call.program);
    command.args(&call.arguments).env_remove("RUST_MIN_STACK");
    if call.unstable {
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    if let Some(linker) = &call.linker {
        command.env(linker::VARIABLE, linker).env(staged::LEVEL, call.level.to_string());
    }
    let failed = |error| Error::file("run", Path::new(&call.program), &error);
    if call.libraries.is_empty() {
        return Err(failed(command.exec()));
    }
    let status = command.status().map_err(failed)?;
    if status.success() {
        staged::finish_libraries(call, configuration)?;
    }
    Ok(ExitCode::from(own_code(status)))
}

/// Whether this rustdoc can be told not to merge doctests; those of some versions cannot.
fn can_split(configuration: &Configuration) -> bool {
    let output = Command::new(&configuration.rustdoc).arg("--help").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("--merge-doctests"))
}

/// Adds our key to the compiler's version. Cargo takes all of the answer into the names and
/// fingerprints of what it builds, so another runtime or other settings never meet old libraries.
fn verbose_version(arguments: &[OsString], configuration: &Configuration) -> Result<ExitCode> {
    let call = decide::chained(arguments.to_vec(), configuration);
    let output = Command::new(&call.program)
        .args(&call.arguments)
        .output()
        .map_err(|error| Error::file("run", Path::new(&call.program), &error))?;
    let _ = std::io::stderr().write_all(&output.stderr);
    let mut answer = output.stdout;
    answer.extend_from_slice(format!("rosser: {}\n", configuration.key).as_bytes());
    let _ = std::io::stdout().write_all(&answer);
    Ok(ExitCode::from(own_code(output.status)))
}

#[cfg(test)]
mod tests;
