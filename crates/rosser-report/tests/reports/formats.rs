//! The formats for machines.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use rosser_abi::run_file::{header, state, stop};
use rosser_report::{State, Style};
use serde_json::Value;

use crate::normal::normal;
use crate::runs::{FindingWords, RunWords, Runs};

fn findings() -> Runs {
    let mut run = RunWords::new(7);
    run.finding(&FindingWords::race()).finding(&FindingWords::order());
    let mut stopped = RunWords::new(8);
    stopped.set(header::STATE, state::STOPPED).set(header::STATE_DETAIL, stop::SPINNING);
    let mut signalled = RunWords::new(9);
    signalled.set(header::STATE, state::SIGNALLED).set(header::STATE_DETAIL, 9);
    Runs::new(&[&run, &stopped, &signalled])
}

#[test]
fn json_lines() {
    let runs = findings();
    let text = runs.report().json_lines();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["schema"] == "rosser.findings/1"));
    assert_eq!(lines[2]["type"], "summary");
    let pretty: Vec<String> = lines
        .iter()
        .map(|line| serde_json::to_string_pretty(line).expect("it can be written"))
        .collect();
    assert_snapshot!(normal(&pretty.join("\n"), &runs));
}

/// The names of all fields of an object and of the objects in it.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let documentation = include_str!("../../../../docs/findings-json.md");
    let mut found = BTreeSet::new();
    for line in findings().report().json_lines().lines() {
        fields(&serde_json::from_str(line).expect("each line is JSON"), &mut found);
    }
    found.remove("type");
    let missing: Vec<&String> =
        found.iter().filter(|name| !documentation.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, Vec::<&String>::new());
    assert!(found.len() > 60, "{}", found.len());
}

#[test]
fn sarif_is_valid() {
    // Its authors' regular expressions let a bracket close nothing; the validator's do not.
    let schema = include_str!("../sarif/sarif-schema-2.1.0.json");
    assert_eq!(schema.matches("[a-zA-Z]{2}]?$").count(), 2);
    let schema = schema.replace("[a-zA-Z]{2}]?$", r"[a-zA-Z]{2}\\]?$");
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let log: Value = serde_json::from_str(&findings().report().sarif()).expect("it is JSON");
    let errors: Vec<String> =
        validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    let results = log["runs"][0]["results"].as_array().expect("there are results");
    assert_eq!(results.len(), 2);

    // The schema would find a mistake.
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "catastrophe".into();
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn sarif() {
    let runs = findings();
    assert_snapshot!(normal(&runs.report().sarif(), &runs));
}

#[test]
fn github() {
    let runs = findings();
    assert_snapshot!(normal(&runs.report().github(), &runs));
}

#[test]
fn colours_only_if_asked() {
    let report = findings().report();
    assert!(!report.text(Style::default()).contains('\u{1b}'));
    assert!(report.text(Style { color: true, ..Style::default() }).contains('\u{1b}'));
}

#[test]
fn runs_are_told() {
    let report = findings().report();
    let states: Vec<State> = report.runs().iter().map(|run| run.state).collect();
    assert_eq!(states[0], State::Ended { status: 0 });
    assert_eq!(states[2], State::Signalled { signal: 9 });
    assert_eq!(report.runs()[0].command, ["target/debug/app-0123456789abcdef"]);
    assert_eq!(report.runs()[0].counters.tasks, 1_024);
}
