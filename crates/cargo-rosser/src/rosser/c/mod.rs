//! `rosser cc`, `rosser c++`, `rosser run`, `rosser report` and `rosser show-env`: programs in C and C++.
//!
//! The compiler is the system's. It puts in the calls of its own thread sanitizer; what answers them is
//! Rosser's runtime, in a [`library`] that also has the tasks, promises and futures of `rosser.h`.

mod compiler;
mod launchers;
mod library;
mod run;

use std::env;
use std::ffi::OsString;

pub use crate::c_compiler::Language;
use crate::error::Result;
use crate::message::Terminal;
use clap::ArgMatches;

pub use self::run::with_settings;

/// Compiles, links, or both, with the compiler's own arguments.
pub fn compile(language: Language, arguments: &[OsString]) -> u8 {
    code(Err(compiler::compile(language, arguments)))
}

/// The arguments of a compiler, if that is what we are called as: by the name of this executable, or by that of
/// the command. They are the compiler's, whatever they are, and not to be looked at by any other parser.
pub fn called_as_compiler() -> Option<(Language, Vec<OsString>)> {
    let mut arguments = env::args_os().skip(1);
    if let Some((language, _)) = Language::called_as() {
        return Some((language, arguments.collect()));
    }
    let language = match arguments.next()?.to_str()? {
        "cc" => Language::C,
        "c++" => Language::Cpp,
        _ => return None,
    };
    // Without any, the command's usage is shown.
    let arguments: Vec<OsString> = arguments.collect();
    (!arguments.is_empty()).then_some((language, arguments))
}

/// Prints the variables that have builds call us.
pub fn show_env() -> u8 {
    code(launchers::show_env())
}

/// Runs a program and reports.
pub fn run(program: &[OsString], matches: &ArgMatches) -> u8 {
    code(run::run(program, matches))
}

/// Reports the last run once more.
pub fn report(matches: &ArgMatches) -> u8 {
    code(run::report(matches))
}

fn code(result: Result<u8>) -> u8 {
    result.unwrap_or_else(|error| {
        Terminal::default().error(&error.message);
        error.code
    })
}
