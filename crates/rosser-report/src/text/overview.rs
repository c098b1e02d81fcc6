//! For runs with more findings than can be read: the rest in one line each, the files they are in,
//! and what to do next.

use std::collections::BTreeMap;

use crate::finding::Class;
use crate::frame::Frame;
use crate::group::Group;
use crate::harmless;
use crate::numbers::{counted, grouped};
use crate::options::Style;
use crate::report::Report;

/// How many findings are listed in one line each.
const BRIEF: usize = 200;
/// From how many findings on the files are counted.
const MANY: usize = 10;
/// How many files are named.
const FILES: usize = 5;

/// The findings that are not shown in full, in one line each.
pub fn rest(report: &Report) -> String {
    let total = report.reported().count();
    let left = total.saturating_sub(report.max_findings);
    if left == 0 {
        return String::new();
    }
    let mut lines = vec![format!("{} in brief:", counted(left as u64, "further finding"))];
    let numbered = report.reported().enumerate().skip(report.max_findings);
    lines.extend(numbered.take(BRIEF).map(|(index, group)| brief(report, group, index + 1)));
    if left > BRIEF {
        let unlisted = grouped((left - BRIEF) as u64);
        lines.push(format!("  … and {unlisted} more, which `--format json` lists"));
    }
    harmless(&lines.join("\n")).into_owned() + "\n\n"
}

fn brief(report: &Report, group: &Group, number: usize) -> String {
    let (finding, table) = (&group.example, &report.table);
    let at = |frame: Option<&Frame>| frame.map_or_else(|| "an unknown place".to_owned(), Frame::at);
    let (first, second) = (at(finding.first_place(table)), at(finding.second_place(table)));
    let places = if first == second { first } else { format!("{first} and {second}") };
    format!("  {number}: {} at {places}", finding.class.name())
}

/// The files that most of many findings are in, by their second places.
pub fn files(report: &Report) -> Option<String> {
    if report.reported().count() <= MANY {
        return None;
    }
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for group in report.reported() {
        let file =
            group.example.second_place(&report.table).and_then(|frame| frame.file.as_deref());
        *counts.entry(file.unwrap_or("unknown files")).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named =
        counts.iter().take(FILES).map(|(file, count)| format!("{} in {file}", grouped(*count)));
    let mut parts: Vec<String> = named.collect();
    let others: u64 = counts.iter().skip(FILES).map(|(_, count)| count).sum();
    if others > 0 {
        parts.push(format!("{} elsewhere", grouped(others)));
    }
    Some(format!("where: {}", parts.join(", ")))
}

/// What to do about findings. Nothing if there are none.
pub fn next_steps(report: &Report, style: Style) -> Vec<String> {
    let Style { verbose, command, .. } = style;
    let mut steps = Vec::new();
    if report.reported().any(|group| group.example.class == Class::DataRace) {
        steps.push(
            "a data race goes away if one task is joined before the other starts, or if each gets \
             memory of its own; a lock or an atomic makes it order-dependent"
                .to_owned(),
        );
    }
    if report.reported().next().is_some() {
        if !verbose {
            steps
                .push(format!("`{command} report --verbose` shows the same run with whole stacks"));
        }
        steps.push(format!(
            "`{command} report --help` tells how to leave out what is meant to be so"
        ));
    }
    steps
}
