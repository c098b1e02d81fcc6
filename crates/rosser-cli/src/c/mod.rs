//! `rosser cc`, `rosser c++`, `rosser run` and `rosser report`: programs in C and C++.
//!
//! The compiler is the system's. It puts in the calls of its own thread sanitizer; what answers them is
//! Rosser's runtime, in a [`library`] that also has the tasks, promises and futures of `rosser.h`.

mod compiler;
mod library;
mod run;

use std::ffi::OsString;

use cargo_rosser::error::Result;
use cargo_rosser::message::Terminal;
use clap::ArgMatches;

pub use self::compiler::Language;
pub use self::run::with_settings;

/// Compiles, links, or both, with the compiler's own arguments.
pub fn compile(language: Language, arguments: &[OsString]) -> u8 {
    code(compiler::compile(language, arguments))
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
