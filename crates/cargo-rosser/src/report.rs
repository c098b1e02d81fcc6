//! From run files to a report, a verdict and an exit code.

use std::fs::{self, OpenOptions};
use std::path::Path;

use rosser_report::{Counts, Options, Report, Style};

use crate::error::{Error, Result};
use crate::exit;
use crate::message::{self, Terminal};
use crate::settings::{FailOn, Format, Settings};

/// The message if no run file was left. That is not a clean run: nothing was checked.
pub const NOTHING_CHECKED: &str = "nothing was checked: no program left a run file; either none \
    was run, or it is not instrumented, or it could not start";

/// Reads all run files of a run. Returns `None` if there is none.
pub fn load(
    settings: &Settings,
    source_root: &Path,
    run_directory: &Path,
) -> Result<Option<Report>> {
    match Report::load(run_directory, &options(settings, source_root)) {
        Ok(report) => Ok(Some(report)),
        Err(rosser_report::Error::NoRuns { .. }) => Ok(None),
        Err(error) => Err(Error::usage(error.to_string())),
    }
}

fn options(settings: &Settings, source_root: &Path) -> Options {
    Options {
        suppressions: settings.suppressions.clone(),
        builtin_suppressions: settings.builtin_suppressions,
        baseline: settings.baseline.clone(),
        source_roots: vec![source_root.to_owned()],
        sync_crates: settings.sync_crates.clone(),
        max_findings: settings.max_findings,
    }
}

/// Writes the report in the format, and to the place, that the settings name.
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
        None if settings.format == Format::Text => message::diagnose(&text, "the report"),
        None => message::output(&text, "the report"),
    }
}

/// Checks, before anything is run, that suppressions and the baseline can be read and the output can be written: a result
/// must not be lost for that.
pub fn check(settings: &Settings, source_root: &Path) -> Result<()> {
    options(settings, source_root).check().map_err(|error| Error::usage(error.to_string()))?;
    let Some(output) = &settings.output else { return Ok(()) };
    let is_new = !output.exists();
    let opened = OpenOptions::new().append(true).create(true).open(output);
    opened.map_err(|error| Error::file("write", output, &error))?;
    if is_new {
        let _ = fs::remove_file(output);
    }
    Ok(())
}

/// The exit code after the report was written. If that failed, the run is kept and the user told how to get at it.
pub fn code_if(written: Result<()>, code: u8, terminal: Terminal) -> Result<u8> {
    let Err(error) = written else { return Ok(code) };
    let command = terminal.command;
    let advice = format!("{error}; `{command} report` writes the report of this run again");
    if code != exit::RACE {
        return Err(Error::usage(advice));
    }
    // That there is a race is known all the same.
    terminal.error(&advice);
    Ok(code)
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
    } else if counts.incomplete > 0 && own == exit::CLEAN {
        exit::INCOMPLETE
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
    fn a_run_that_ended_early_is_not_clean() {
        let counts = Counts { incomplete: 1, ..Counts::default() };
        assert_eq!(code(&counts, FailOn::Never, 0), 5);
        // What a signal leaves behind tells more.
        assert_eq!(code(&counts, FailOn::Race, 137), 137);
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
