//! Writing to the terminal, a file or a pipe that may be closed.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use crate::exit;

/// Prints to standard output; colours are kept only where they are wanted.
pub fn print(text: &str) {
    check(anstream::stdout().write_all(text.as_bytes()));
}

/// Prints to standard error.
pub fn note(text: &str) {
    check(anstream::stderr().write_all(text.as_bytes()));
}

/// A reader that has seen enough is no error; a full disk is.
fn check(result: std::io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: cannot write output: {error}");
            std::process::exit(exit::USAGE.into());
        }
    }
}

/// Flushes standard output, and turns the code into that of the process.
pub fn finish(code: u8) -> ExitCode {
    check(std::io::stdout().flush());
    ExitCode::from(code)
}
