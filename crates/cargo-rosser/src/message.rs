//! Messages on standard error, in cargo's manner, and whether they are coloured.

use std::borrow::Cow;
use std::env;
use std::io::{IsTerminal, Write};

use crate::error::{Error, Result};
use crate::settings::Settings;

/// Whether to colour what goes to standard error, and how wide it is.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether to use colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
    /// Whether to say only what matters.
    pub quiet: bool,
    /// The command that the user has called, for advice.
    pub command: &'static str,
}

/// The command's name in advice, for `cargo rosser`.
const COMMAND: &str = "cargo rosser";

impl Terminal {
    /// As the settings and the surroundings want it.
    pub fn new(settings: &Settings, quiet: bool) -> Self {
        let color = settings.color.unwrap_or_else(color_by_surroundings);
        let width = rustix::termios::tcgetwinsize(rustix::stdio::stderr())
            .map(|size| usize::from(size.ws_col))
            .ok()
            .filter(|&width| width > 0)
            .or_else(|| env::var("COLUMNS").ok()?.parse().ok())
            .unwrap_or(100);
        Self { color, width, quiet, command: COMMAND }
    }

    /// Prints a status line in cargo's manner: `   Compiling foo`.
    pub fn status(self, verb: &str, what: &str) {
        if self.quiet {
            return;
        }
        let (on, off) = self.style("1;32");
        print(&format!("{on}{verb:>12}{off} {}\n", harmless(what)));
    }

    /// Something to know that changes nothing.
    pub fn note(self, what: &str) {
        let (on, off) = self.style("1;36");
        print(&format!("{on}note{off}: {}\n", harmless(what)));
    }

    /// Why it did not work.
    pub fn error(self, what: &str) {
        let (on, off) = self.style("1;31");
        print(&format!("{on}error{off}: {}\n", harmless(what)));
    }

    fn style(self, code: &str) -> (String, &'static str) {
        if self.color { (format!("\x1b[{code}m"), "\x1b[0m") } else { (String::new(), "") }
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self { color: color_by_surroundings(), width: 100, quiet: false, command: COMMAND }
    }
}

/// Cargo's rules: `CARGO_TERM_COLOR`, then `NO_COLOR`, then whether it is a terminal.
fn color_by_surroundings() -> bool {
    match env::var("CARGO_TERM_COLOR").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => {
            env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::io::stderr().is_terminal()
        }
    }
}

/// Writes a message to standard error. A failure is ignored: there is no other place to tell of it.
pub fn print(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes the command's result to standard error. A failure is an error, so the exit code tells of it.
pub fn diagnose(text: &str, what: &str) -> Result<()> {
    let mut out = std::io::stderr();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Error::usage(format!("cannot write {what} to standard error: {error}")))
}

/// The same to standard output. A reader that has gone is an error like a full disk: what it has not read is lost.
pub fn output(text: &str, what: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written
        .map_err(|error| Error::usage(format!("cannot write {what} to standard output: {error}")))
}

/// A text that is not Rosser's, with control characters spelled out, so that it can be shown.
pub fn harmless(text: &str) -> Cow<'_, str> {
    rosser_report::harmless(text)
}
