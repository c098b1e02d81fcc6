//! From run files to a report, a verdict and an exit code.

use std::fs;
use std::io::Write;
use std::path::Path;

use rosser_report::{Counts, Options, Report, Style};

use crate::error::{Error, Result};
use crate::exit;
use crate::message::{self, Terminal};
use crate::settings::{FailOn, Format, Settings};

/// What to say when there is nothing to report about, which is not the same as a clean run.
pub const NOTHING_CHECKED: &str = "nothing was checked: no program left a run file; either none \
    was run, or it is not instrumented, or it could not start";

/// Reads all run files of a run; nothing if there is none.
pub fn load(
    settings: &Settings,
    source_root: &Path,
    run_directory: &Path,
) -> Result<Option<Report>> {
    let options = Options {
        suppressions: settings.suppressions.clone(),
        builtin_suppressions: settings.builtin_suppressions,
        baseline: settings.baseline.clone(),
        source_roots: vec![source_root.to_owned()],
        sync_crates: settings.sync_crates.clone(),
        max_findings: settings.max_findings,
    };
    match Report::load(run_directory, &options) {
        Ok(report) => Ok(Some(report)),
        Err(rosser_report::Error::NoRuns { .. }) => Ok(None),
        Err(error) => Err(Error::usage(error.to_string())),
    }
}

/// Writes the report where the settings want it.
pub fn write(
    report: &Report,
    settings: &Settings,
    terminal: Terminal,
    verbose: bool,
) -> Result<()> {
    let to_file = settings.output.is_some();
    let text = match settings.format {
        Format::Text => {
            let color = terminal.color && (!to_file || settings.color == Some(true));
            report.text(Style { color, width: terminal.width, verbose, command: terminal.command })
        }
        Format::Json => report.json_lines(),
        Format::Sarif => report.sarif(),
        Format::Github => report.github(),
        Format::Baseline => report.baseline(),
    };
    match &settings.output {
        Some(path) => fs::write(path, text).map_err(|error| Error::file("write", path, &error)),
        None if settings.format == Format::Text => {
            message::print(&text);
            Ok(())
        }
        None => {
            let mut out = std::io::stdout().lock();
            // A reader that has seen enough is no error.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            Ok(())
        }
    }
}

/// The exit code, given the program's own.
pub fn code(counts: &Counts, fail_on: FailOn, own: u8) -> u8 {
    let fails = match fail_on {
        FailOn::Race => counts.data_races > 0,
        FailOn::OrderDependent => counts.data_races + counts.order_dependent > 0,
        FailOn::Never => false,
    };
    if fails {
        exit::RACE
    } else if counts.stopped > 0 {
        exit::STOPPED
    } else if counts.left_out > 0 {
        exit::NOT_CHECKED
    } else {
        own
    }
}

#[cfg(test)]
mod tests {
    use rosser_report::Counts;

    use super::code;
    use crate::settings::FailOn;

    #[test]
    fn a_race_comes_before_what_the_program_says_of_itself() {
        let counts = Counts { data_races: 1, stopped: 1, ..Counts::default() };
        assert_eq!(code(&counts, FailOn::Race, 7), 66);
        assert_eq!(code(&counts, FailOn::Never, 7), 3);
    }

    #[test]
    fn a_run_without_some_checks_is_not_clean() {
        let counts = Counts { left_out: 1, ..Counts::default() };
        assert_eq!(code(&counts, FailOn::Race, 0), 4);
    }

    #[test]
    fn order_dependence_fails_only_if_wanted() {
        let counts = Counts { order_dependent: 2, ..Counts::default() };
        assert_eq!(code(&counts, FailOn::Race, 0), 0);
        assert_eq!(code(&counts, FailOn::OrderDependent, 0), 66);
    }

    #[test]
    fn a_clean_run_keeps_the_programs_own_code() {
        assert_eq!(code(&Counts::default(), FailOn::OrderDependent, 7), 7);
    }
}
