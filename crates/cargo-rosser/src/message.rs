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
    /// What the user has called.
    pub command: &'static str,
}

/// What the user of this crate's own command has called.
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

    /// Tells what is going on, as in `   Compiling foo`.
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

/// Writes to standard error. Nobody is left to tell if that fails.
pub fn print(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes what the command is called for to standard error. If that fails, the exit code tells.
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

/// A text of somebody else's as it can be shown: what would control a terminal is spelled out.
pub fn harmless(text: &str) -> Cow<'_, str> {
    rosser_report::harmless(text)
}
