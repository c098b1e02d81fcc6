//! How a report differs from what a program's source says is to be found.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::expect::{Found, Note, Program};

/// Compares a report in JSON lines with what is expected.
pub fn compare(program: &Program, report: &str, differences: &mut Vec<String>) {
    let lines: Result<Vec<Value>, _> = report.lines().map(serde_json::from_str).collect();
    let lines = match lines {
        Ok(lines) => lines,
        Err(error) => return differences.push(format!("the report is not JSON lines: {error}")),
    };
    let (summary, findings): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line["type"] == "summary");
    let [summary] = summary[..] else {
        return differences.push(format!("{} summaries instead of one", summary.len()));
    };
    if program.has(Note::Inexact)
        && findings.iter().all(|finding| finding["first"]["exact"] != false)
    {
        differences.push("all places are said to be exact".to_owned());
    }
    let mut found = Found::new();
    for finding in findings {
        let class = match finding["class"].as_str() {
            Some("data-race") => "data-race",
            Some("order-dependent") => "order-dependent",
            other => return differences.push(format!("a finding of class {other:?}")),
        };
        match (line_in(program, &finding["first"]), line_in(program, &finding["second"])) {
            (Ok(first), Ok(second)) => {
                if !found.insert((class, first.min(second), first.max(second))) {
                    differences.push(format!("reported twice: {class} at {first} and {second}"));
                }
            }
            (first, second) => {
                let shown = |place| match place {
                    Ok(line) => format!("line {line}"),
                    Err(elsewhere) => elsewhere,
                };
                differences.push(format!(
                    "unexpected: {class} at {} and {}",
                    shown(first),
                    shown(second)
                ));
            }
        }
    }
    for (class, first, second) in program.found.difference(&found) {
        differences.push(format!("not found: {class} at {first} and {second}"));
    }
    for (class, first, second) in found.difference(&program.found) {
        differences.push(format!("unexpected: {class} at {first} and {second}"));
    }
    ended_as_expected(program, summary, differences);
}

/// The line of an access if it is in the program's source; else the place as shown.
fn line_in(program: &Program, access: &Value) -> Result<u32, String> {
    let place = &access["place"];
    let line = place["line"].as_u64().and_then(|line| u32::try_from(line).ok());
    match line {
        Some(line) if place["file"] == *program.file => Ok(line),
        _ => Err(format!("{}:{} in {}", place["file"], place["line"], place["function"])),
    }
}

/// Counts, threads and the end of the run, as the summary has them.
fn ended_as_expected(program: &Program, summary: &Value, differences: &mut Vec<String>) {
    let mut counts = BTreeMap::from([("data_races", 0), ("order_dependent", 0)]);
    for (class, ..) in &program.found {
        let key = if *class == "data-race" { "data_races" } else { "order_dependent" };
        *counts.entry(key).or_insert(0_u64) += 1;
    }
    for (key, count) in counts {
        if summary[key] != count {
            differences.push(format!("the summary has {} as {key}, not {count}", summary[key]));
        }
    }
    for key in ["suppressed", "unfinished", "lost"] {
        if summary[key] != 0 {
            differences.push(format!("the summary has {} as {key}, not 0", summary[key]));
        }
    }
    if (summary["other_threads"] != 0) != program.has(Note::Threads) {
        let other = &summary["other_threads"];
        differences.push(format!("the summary has {other} unchecked threads"));
    }
    let bridges = summary["bridges"].as_array().map_or(0, Vec::len);
    if bridges != usize::from(program.has(Note::Bridge)) {
        differences.push(format!("the summary has {bridges} bridges"));
    }
    let runs = summary["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let [run] = runs else {
        return differences.push(format!("{} processes instead of one", runs.len()));
    };
    let (state, detail) = program.state;
    if run["state"] != state || detail.is_some_and(|detail| run["detail"] != detail) {
        differences.push(format!(
            "the run is {} ({}) instead of {state} ({detail:?})",
            run["state"], run["detail"]
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::expect::Program;

    const FINDING: &str = r#"{"type":"finding","class":"data-race",
        "first":{"place":{"file":"race/x.rs","line":3}},
        "second":{"place":{"file":"race/x.rs","line":2}}}"#;
    const SUMMARY: &str = r#"{"type":"summary","data_races":1,"order_dependent":0,"suppressed":0,
        "unfinished":0,"lost":0,"other_threads":0,"runs":[{"state":"ended","detail":0}]}"#;

    fn report(finding: &str) -> String {
        [finding, SUMMARY].map(|line| line.replace('\n', "")).join("\n")
    }

    fn differences(found: &[(&'static str, u32, u32)], report: &str) -> Vec<String> {
        let program = Program {
            name: "race-x".to_owned(),
            file: "race/x.rs".to_owned(),
            found: found.iter().copied().collect(),
            exit: 66,
            state: ("ended", None),
            arguments: Vec::new(),
            notes: Vec::new(),
            whole: false,
        };
        let mut differences = Vec::new();
        compare(&program, report, &mut differences);
        differences
    }

    #[test]
    fn only_the_marked_pair_will_do() {
        assert_eq!(differences(&[("data-race", 2, 3)], &report(FINDING)), [""; 0]);
        let wrong = [
            differences(&[("data-race", 2, 2)], &report(FINDING)),
            differences(&[("order-dependent", 2, 3)], &report(FINDING)),
            differences(&[("data-race", 2, 3)], &report(&FINDING.replace("/x.rs", "/y.rs"))),
            differences(&[("data-race", 2, 3)], SUMMARY),
            differences(&[], &report(FINDING)),
        ];
        assert!(wrong.iter().all(|differences| !differences.is_empty()), "{wrong:?}");
    }
}
