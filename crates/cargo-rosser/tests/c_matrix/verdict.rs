//! How a report differs from what the cases of a program expect.

use serde_json::Value;

use crate::case::Program;

/// What is wrong, each with the name of a case.
pub fn differences(program: &Program, report: &str) -> Vec<String> {
    let report = report.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let report: Vec<Value> = report.collect();
    let mut counts = vec![0; program.placed.len()];
    let mut differences = Vec::new();
    for finding in report.iter().filter(|line| line["type"] == "finding") {
        let line = |access: &str| finding[access]["place"]["line"].as_u64().unwrap_or(0);
        let lines = [line("first"), line("second")];
        let case = program.placed.iter().position(|it| lines.iter().any(|l| it.lines.contains(l)));
        let is_expected = |case: &usize| {
            let race = &program.placed[*case].race;
            finding["class"] == "data-race" && lines.iter().all(|line| race.contains(line))
        };
        if let Some(case) = case.filter(is_expected) {
            counts[case] += 1;
        } else {
            let name = case.map_or("none", |case| &program.placed[case].name);
            differences.push(format!("{name}: unexpected {} at {lines:?}", finding["class"]));
        }
    }
    for (placed, count) in program.placed.iter().zip(counts) {
        if count == 0 && placed.is_required {
            differences.push(format!("{}: missing data race at {:?}", placed.name, placed.race));
        }
    }
    let ended = report.iter().filter(|line| line["type"] == "summary").any(|summary| {
        summary["runs"][0]["state"] == "ended" && summary["lost"] == 0 && summary["suppressed"] == 0
    });
    if !ended {
        differences.push("the program did not end as it should".to_owned());
    }
    differences
}
