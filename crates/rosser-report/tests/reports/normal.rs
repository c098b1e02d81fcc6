//! Takes out of reports what differs between machines, toolchains and runs.

use crate::executable::EXECUTABLE;
use crate::runs::Runs;

/// The one way to make a report comparable.
pub fn normal(report: &str, runs: &Runs) -> String {
    let executable = EXECUTABLE.path.to_string_lossy();
    let directory = runs.directory.path().to_string_lossy();
    let text = report.replace(&*executable, "[executable]").replace(&*directory, "[directory]");
    let lines = text.lines().map(|line| library_lines_out(&hex_out(line)));
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Lines of the standard library change with the toolchain.
fn library_lines_out(line: &str) -> String {
    let Some(at) = line.find(" at library/") else {
        return line.to_owned();
    };
    let (before, place) = line.split_at(at);
    let file = place.split(':').next().unwrap_or(place);
    format!("{before}{file}:[line]")
}

/// Addresses change from run to run.
fn hex_out(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("0x") {
        out.push_str(&rest[..at]);
        out.push_str("[address]");
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out + rest
}
