//! Baselines: written, read back, and robust against moved lines.

use rosser_abi::run_file::finding;
use rosser_report::Style;
use serde_json::Value;

use crate::executable::{address_after, address_of, call_at, line_of};
use crate::runs::{FindingWords, RunWords, Runs};

fn both() -> RunWords {
    let mut run = RunWords::new(7);
    run.finding(&FindingWords::race()).finding(&FindingWords::order());
    run
}

fn with_baseline(run: &RunWords, baseline: &str) -> Runs {
    let mut runs = Runs::new(&[run]);
    runs.options.baseline = Some(runs.write("rosser.baseline", baseline));
    runs
}

#[test]
fn known_findings_pass() {
    let baseline = Runs::new(&[&both()]).report().baseline();
    let report = with_baseline(&both(), &baseline).report();
    let counts = report.counts();
    assert_eq!(
        (counts.data_races, counts.order_dependent, counts.baselined, counts.gone),
        (0, 0, 2, 0)
    );
    assert_eq!(report.baseline(), baseline);
    let text = report.text(Style::default());
    assert!(
        text.starts_with(
            "verdict: no determinacy race in any schedule for this input, besides 2 known"
        ),
        "{text}"
    );
    assert_eq!(report.github(), "");
}

#[test]
fn new_findings_fail_and_old_ones_are_gone() {
    let mut race = RunWords::new(7);
    race.finding(&FindingWords::race());
    let baseline = Runs::new(&[&race]).report().baseline();
    let mut order = RunWords::new(7);
    order.finding(&FindingWords::order());
    let report = with_baseline(&order, &baseline).report();
    let counts = report.counts();
    assert_eq!((counts.order_dependent, counts.baselined, counts.gone), (1, 0, 1));
    assert!(report.text(Style::default()).contains("1 finding of the baseline did not occur"));
}

#[test]
fn an_entry_has_no_line_numbers_but_the_lines_text() {
    let baseline: Value =
        serde_json::from_str(&Runs::new(&[&both()]).report().baseline()).expect("it is JSON");
    let entry = &baseline["findings"][0];
    assert_eq!(baseline["schema"], "rosser.baseline/1");
    assert_eq!(entry["class"], "data-race");
    let places = entry["places"].as_array().expect("two places");
    assert_eq!(places[0]["text"], "let balance = account[0]; // @audit");
    assert_eq!(places[1]["function"], "reports::fixture::deposit");
    assert!(!entry.to_string().contains(&line_of("audit").to_string()), "{entry}");
}

#[test]
fn one_more_finding_that_looks_the_same_is_new() {
    // Two lines of one text are two findings with one fingerprint.
    let at = |address: u64| {
        let mut words = FindingWords::race();
        words.set(finding::FIRST_PC, address);
        words
    };
    let (one, other) = (at(address_of("repeat")), at(address_after("repeat")));
    let (mut single, mut double) = (RunWords::new(7), RunWords::new(7));
    single.finding(&one);
    double.finding(&one).finding(&other);
    let counts = |run: &RunWords, baseline: &str| {
        let counts = with_baseline(run, baseline).report().counts();
        (counts.data_races, counts.baselined, counts.gone)
    };
    let (known, both) =
        (Runs::new(&[&single]).report().baseline(), Runs::new(&[&double]).report().baseline());
    assert!(both.contains("\"count\": 2"), "{both}");
    assert_eq!(counts(&double, &known), (1, 1, 0));
    assert_eq!(counts(&double, &both), (0, 2, 0));
    assert_eq!(counts(&single, &both), (0, 1, 1));
}

#[test]
fn another_pair_of_lines_is_another_finding() {
    let baseline = Runs::new(&[&both()]).report().baseline();
    let mut words = FindingWords::race();
    words.set(finding::FIRST_PC, address_of("bump"));
    words.stack(&[address_of("audit"), call_at("bank")]);
    let mut run = RunWords::new(7);
    run.finding(&words);
    let counts = with_baseline(&run, &baseline).report().counts();
    assert_eq!((counts.data_races, counts.baselined, counts.gone), (1, 0, 2));
}

#[test]
fn other_files_are_refused() {
    let refused = |text: &str| {
        let error = with_baseline(&both(), text).load().expect_err("it is no baseline");
        error.to_string()
    };
    assert!(refused("{}").contains("is not a baseline file: missing field `schema`"));
    let newer = refused(r#"{"schema":"rosser.baseline/2","findings":[]}"#);
    assert!(
        newer.contains("its schema is `rosser.baseline/2`, not `rosser.baseline/1`"),
        "{newer}"
    );
}
