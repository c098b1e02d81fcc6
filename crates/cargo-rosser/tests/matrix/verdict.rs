//! How a report differs from what the cases of a group expect.

use rosser_abi::checks::Kind;
use serde_json::Value;

use crate::case::{Group, Marked, Placed};
use crate::package;

/// Where the library of the package marks lines of its own.
const PRELUDE: &str = include_str!("prelude.rs");

/// Compares a report with what is expected. A difference has the name of a case, and what is wrong with it.
pub fn differences(group: &Group, report: &[Value]) -> Vec<(String, String)> {
    let (_, placed) = group.program();
    let file = package::source(group);
    let mut found = vec![Found::default(); placed.len()];
    let mut differences = Vec::new();
    for finding in report.iter().filter(|line| line["type"] == "finding") {
        let shown = show(finding);
        let (first, second) = (&finding["first"]["place"], &finding["second"]["place"]);
        if is_marked_in_prelude(first) && is_marked_in_prelude(second) {
            continue;
        }
        let lines = [first, second].map(|place| line_in(&file, place));
        let case = lines
            .iter()
            .flatten()
            .find_map(|line| placed.iter().position(|placed| placed.lines.contains(line)));
        let Some(case) = case else {
            differences.push(("none".to_owned(), format!("unexpected {shown}")));
            continue;
        };
        let (marked, count) = match finding["class"].as_str() {
            Some("data-race") => (&placed[case].race, &mut found[case].races),
            _ => (&placed[case].order, &mut found[case].orders),
        };
        if lines.iter().all(|line| line.is_some_and(|line| marked.lines.contains(&line))) {
            *count += 1;
        } else {
            let is_near = lines
                .iter()
                .all(|line| line.is_some_and(|line| placed[case].lines.contains(&line)));
            let what = if is_near { "at other lines," } else { "unexpected" };
            found[case].unexpected.push(format!("{what} {shown}"));
        }
    }
    for (placed, found) in placed.iter().zip(&found) {
        let mut problems = found.unexpected.clone();
        problems.extend(missing("data race", &placed.race, found.races));
        problems.extend(missing("order-dependence", &placed.order, found.orders));
        if !problems.is_empty() {
            differences.push((placed.case.name.clone(), describe(placed, &problems)));
        }
    }
    differences.extend(problems_of_run(report).into_iter().map(|it| ("all".to_owned(), it)));
    differences
}

/// Why it is not noticed that a kind of checks was left out, if so: the answer is the same in all cases, or the report
/// does not say that something is missing.
pub fn why_unnoticed(kind: Kind, group: &Group, report: &[Value]) -> Option<String> {
    let name = kind.name();
    let summary = report.iter().find(|line| line["type"] == "summary")?;
    if summary["left_out"] != serde_json::json!([name]) {
        return Some(format!("{name}: the report has {} as left out", summary["left_out"]));
    }
    let is_noticed = differences(group, report).iter().any(|(case, _)| case != "all");
    (!is_noticed).then(|| format!("{name}: no case has another answer without"))
}

/// What was found in one case.
#[derive(Clone, Debug, Default)]
struct Found {
    races: usize,
    orders: usize,
    unexpected: Vec<String>,
}

fn missing(class: &str, marked: &Marked, count: usize) -> Option<String> {
    (marked.is_required && count == 0).then(|| format!("missing {class}"))
}

/// What is wrong, and the source of the case with the numbers of lines.
fn describe(placed: &Placed, problems: &[String]) -> String {
    let source = (placed.lines.start..).zip(placed.case.source.lines());
    let source: Vec<String> = source.map(|(line, text)| format!("    {line:5} | {text}")).collect();
    format!("{}\n{}", problems.join("; "), source.join("\n"))
}

fn show(finding: &Value) -> String {
    let access = |access: &Value| {
        let place = &access["place"];
        let file = place["file"].as_str().unwrap_or("?");
        format!("{} at {file}:{}", access["access"].as_str().unwrap_or("?"), place["line"])
    };
    let class = finding["class"].as_str().unwrap_or("?");
    format!("{class}: {}, {}", access(&finding["first"]), access(&finding["second"]))
}

/// The line of a place, if it is in the file.
fn line_in(file: &str, place: &Value) -> Option<u64> {
    if place["file"] == *file { place["line"].as_u64() } else { None }
}

fn is_marked_in_prelude(place: &Value) -> bool {
    let line = line_in("src/lib.rs", place).and_then(|line| usize::try_from(line).ok());
    let text = line.and_then(|line| PRELUDE.lines().nth(line.wrapping_sub(1)));
    text.is_some_and(|text| text.ends_with("//~ order"))
}

/// The summary must be that of one process that ran to its end, with nothing left out.
fn problems_of_run(report: &[Value]) -> Vec<String> {
    let Some(summary) = report.iter().find(|line| line["type"] == "summary") else {
        return vec!["there is no summary".to_owned()];
    };
    let mut problems = Vec::new();
    for key in ["suppressed", "unfinished", "lost", "other_threads"] {
        if summary[key] != 0 {
            problems.push(format!("the summary has {} as {key}", summary[key]));
        }
    }
    let runs = summary["runs"].as_array().map_or(&[][..], Vec::as_slice);
    match runs {
        [run] if run["state"] == "ended" && run["detail"] == 0 => {}
        _ => problems.push(format!("the program did not end as it should: {runs:?}")),
    }
    problems
}
