//! Small programs with one conflict each, for every way to start tasks, every way to access memory and every
//! type of value: hundreds in one program, on lines of their own, built and run as the command does.
//!
//! In a racy case a finding must name lines of that case; in its clean twin there must be none. What is not
//! so is printed with the source of the case.
//!
//! By default some of the cases are run, in three configurations. `ROSSER_MATRIX=configurations` has the same cases
//! in all configurations, and `ROSSER_MATRIX=full` all cases in all configurations, which takes hours.
//! `ROSSER_MATRIX_FILTER` restricts the run to configurations and groups whose names contain one of its words, as
//! `ROSSER_MATRIX_FILTER='quick/slices quick/parts'`.

#[path = "matrix/atomics.rs"]
mod atomics;
#[path = "matrix/case.rs"]
mod case;
#[path = "matrix/configuration.rs"]
mod configuration;
#[path = "matrix/items.rs"]
mod items;
#[path = "matrix/kinds_of_checks.rs"]
mod kinds_of_checks;
#[path = "matrix/left_out.rs"]
mod left_out;
#[path = "matrix/memory.rs"]
mod memory;
#[path = "matrix/package.rs"]
mod package;
#[path = "matrix/pairs.rs"]
mod pairs;
#[path = "matrix/parts.rs"]
mod parts;
#[path = "matrix/promises.rs"]
mod promises;
#[path = "matrix/slices.rs"]
mod slices;
#[path = "matrix/snippets.rs"]
mod snippets;
#[path = "matrix/texts.rs"]
mod texts;
#[path = "matrix/values.rs"]
mod values;
#[path = "matrix/vectors.rs"]
mod vectors;
#[path = "matrix/verdict.rs"]
mod verdict;

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use case::Group;
use configuration::Configuration;
use rosser_abi::checks::Kind;

/// All groups. What is not admitted on several workers has one of its own.
fn groups() -> Vec<Group> {
    let group = |name: &str, cases| Group {
        name: name.to_owned(),
        cases,
        items: "",
        runs_on_workers: true,
    };
    vec![
        group("ways", pairs::all_ways()),
        group("iterators", items::all_texts()),
        group("values", pairs::all_values()),
        group("values_of_items", items::all_values()),
        group("parts", parts::all()),
        group("slices", slices::all()),
        group("vectors", vectors::all()),
        group("atomics", atomics::all()),
        Group { runs_on_workers: false, ..group("promises", promises::all()) },
    ]
}

#[test]
fn names_of_cases_are_unique() {
    for group in groups() {
        let names: BTreeSet<&str> = group.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names.len(), group.cases.len(), "{}", group.name);
    }
}

/// How many cases of a group there are for each that is always run. Odd, so that there are racy and clean ones.
fn step(group: &str) -> usize {
    match group {
        "ways" => 41,
        "iterators" => 11,
        "values" | "values_of_items" => 37,
        "slices" | "atomics" => 17,
        _ => 7,
    }
}

#[test]
fn every_case_gives_what_it_marks() {
    let choice = env::var("ROSSER_MATRIX").unwrap_or_default();
    let groups = match &*choice {
        "full" => groups(),
        _ => vec![Group::sample("sample", groups(), step)],
    };
    let configurations = match &*choice {
        "full" | "configurations" => Configuration::all(),
        _ => Configuration::core(),
    };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let package = scratch.join(if choice == "full" { "matrix-full" } else { "matrix" });
    package::write(&package, &groups);
    let mut differences = 0;
    for configuration in &configurations {
        for group in &groups {
            let name = format!("{}/{}", configuration.name, group.name);
            let is_admitted = configuration.workers == 1 || group.runs_on_workers;
            if !is_admitted || !is_chosen(&name) {
                continue;
            }
            let these = match configuration.report(&package, group) {
                Ok(report) => verdict::differences(group, &report),
                Err(problem) => vec![("all".to_owned(), problem)],
            };
            println!("{name}: {} cases, {} differences", group.cases.len(), these.len());
            for (case, what) in &these {
                println!(
                    "case {}/{case}, configuration {}: {what}",
                    group.name, configuration.name
                );
            }
            differences += these.len();
        }
    }
    assert_eq!(differences, 0, "so many cases are not as they should be");
}

#[test]
fn every_kind_of_checks_is_missed_if_it_is_left_out() {
    let groups = groups();
    let mut programs = Vec::new();
    for kind in Kind::ALL {
        match left_out::program(*kind, &groups) {
            Some(program) => programs.push((*kind, program)),
            None => println!("{}: this processor does not have them", kind.name()),
        }
    }
    let whole = left_out::whole_programs(&groups);
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix-left-out");
    package::write(&package, whole.iter().chain(programs.iter().map(|(_, program)| program)));
    for group in &whole {
        let report = Configuration::core()[0]
            .report(&package, group)
            .unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(verdict::differences(group, &report), [], "with all checks");
    }
    let unnoticed = programs.iter().filter_map(|(kind, program)| {
        let configuration = Configuration::leaving_out(*kind);
        let report =
            configuration.report(&package, program).unwrap_or_else(|problem| panic!("{problem}"));
        verdict::why_unnoticed(*kind, program, &report)
    });
    let unnoticed: Vec<String> = unnoticed.collect();
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

fn is_chosen(name: &str) -> bool {
    let filter = env::var("ROSSER_MATRIX_FILTER").unwrap_or_default();
    let mut words = filter.split_whitespace().peekable();
    words.peek().is_none() || words.any(|word| name.contains(word))
}
