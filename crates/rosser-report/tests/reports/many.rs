//! Ten thousand findings.

use std::time::{Duration, Instant};

use rosser_abi::run_file::finding;
use rosser_report::Style;

use crate::executable::{address_of, another_column, call_at, line_of};
use crate::runs::{FindingWords, RunWords, Runs};

/// Findings that differ in what they touch, with deep stacks.
fn many(count: u64) -> RunWords {
    let mut words = FindingWords::race();
    let mut stack = vec![call_at("bank"); 100];
    stack[0] = address_of("audit");
    words.stack(&stack);
    let mut run = RunWords::new(7);
    for object in 0..count {
        run.finding(words.set(finding::OBJECT_START, 0x10_0000 + object * 64));
    }
    run
}

#[test]
fn ten_thousand_suppressed_findings_cost_next_to_nothing() {
    let mut runs = Runs::new(&[&many(10_000)]);
    runs.options.suppressions = vec![runs.write("s", "function:reports::fixture::deposit")];
    let start = Instant::now();
    let report = runs.report();
    let text = report.text(Style::default());
    let elapsed = start.elapsed();
    let counts = report.counts();
    assert_eq!((counts.data_races, counts.suppressed, counts.tallies.suppressed), (0, 1, 10_000));
    assert!(text.starts_with(
        "verdict: no determinacy race in any schedule for this input, besides 1 suppressed"
    ));
    // Rendering or symbolising each anew would take minutes; this takes a small part of a second.
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[test]
fn ten_thousand_findings_at_the_same_places_are_one() {
    let report = Runs::new(&[&many(10_000)]).report();
    assert_eq!(report.counts().data_races, 1);
    let text = report.text(Style::default());
    assert!(text.contains("9,999 more at the same places, on 10,000 objects in all"), "{text}");
}

#[test]
fn two_columns_of_a_line_are_one_place() {
    let mut run = RunWords::new(7);
    for address in [address_of("bump"), another_column("bump")] {
        run.finding(FindingWords::race().set(finding::FIRST_PC, address));
    }
    assert_eq!(Runs::new(&[&run]).report().counts().data_races, 1);
}

#[test]
fn only_so_many_are_shown() {
    let mut run = RunWords::new(7);
    run.finding(&FindingWords::race()).finding(&FindingWords::order());
    let mut runs = Runs::new(&[&run]);
    runs.options.max_findings = 1;
    let text = runs.report().text(Style::default());
    let fixture = "crates/rosser-report/tests/reports/fixture.rs";
    let (first, second) = (line_of("publish"), line_of("observe"));
    let brief = format!("2: order-dependent at {fixture}:{first} and {fixture}:{second}\n\n");
    assert!(text.contains(&format!("1 further finding in brief:\n  {brief}")), "{text}");
    assert!(!text.contains("warning[order-dependent]"), "{text}");
    assert!(!text.contains("where: "), "{text}");
}

/// A different pair of places for each: whatever is in the executable's code will do.
fn different(count: u64) -> RunWords {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    for index in 0..count {
        run.finding(words.set(finding::FIRST_PC, 0x10 + index));
    }
    run
}

#[test]
fn many_different_findings_stay_readable() {
    let mut runs = Runs::new(&[&different(1_000)]);
    runs.options.max_findings = 20;
    let report = runs.report();
    assert_eq!(report.counts().data_races, 1_000);
    let text = report.text(Style::default());
    assert!(text.contains("\n980 further findings in brief:\n  21: data-race at "), "{text}");
    assert!(text.contains("\n  220: data-race at "), "{text}");
    assert!(text.contains("\n  … and 780 more, which `--format json` lists\n"), "{text}");
    assert!(!text.contains("\n  221: "), "{text}");
    let files = "where: 1,000 in crates/rosser-report/tests/reports/fixture.rs";
    assert!(text.contains(files), "{text}");
    assert!(text.lines().count() < 1_000, "{} lines", text.lines().count());
}
