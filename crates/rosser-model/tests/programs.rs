//! Every program under `programs/` does what its header says: under the oracle, under `auto`,
//! under every published detector that admits it, and over all its schedules.

mod expected;
mod files;
mod judge;

use expected::{Example, Verdict, examples, parse_header};
use files::programs;
use judge::disagreements;
use rosser_detect::{Class, DetectorKind};
use rosser_model::check::check;
use rosser_model::load;

#[test]
fn every_program_does_what_its_header_says() {
    let all = examples(&programs());
    assert!(all.len() >= 60, "only {} programs", all.len());
    let wrong: Vec<String> = all.iter().flat_map(disagreements).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Table 1 of Jin et al. 2023 lists 13 programs of `DataRaceBench`.
#[test]
fn drdp_and_auto_are_right_on_all_of_table_1() {
    let all = examples(&programs());
    let table: Vec<&Example> =
        all.iter().filter(|example| example.name.starts_with("drdp-table1/")).collect();
    assert!(table.len() >= 13, "only {} programs", table.len());
    for detector in [DetectorKind::Drdp, DetectorKind::Auto] {
        let right = table.iter().filter(|example| is_right(example, detector)).count();
        assert_eq!(right, table.len(), "{}", detector.name());
    }
}

/// Whether the verdict is the one that the benchmark's file name states.
fn is_right(example: &Example, detector: DetectorKind) -> bool {
    let program = load(&example.source).expect("it loads");
    let result = check(&program, detector, 1_000_000);
    let is_racy = result.races.iter().any(|race| race.class() == Class::DataRace);
    let stated = match example.name.strip_suffix(".tp3").and_then(|name| name.rsplit_once('-')) {
        Some((_, "yes")) => Verdict::Race,
        Some((_, "no")) => Verdict::Clean,
        _ => panic!("{} does not say whether it is racy", example.name),
    };
    stated == example.expected.verdict && is_racy == (stated == Verdict::Race)
}

/// The reader of headers takes no header for a good one that is not.
#[test]
fn malformed_headers_are_refused() {
    let good = "//! title: t\n//! verdict: race\n//! race: x 1 2\n//! constructs: isolated\n";
    assert!(parse_header(good).is_ok());
    let cases = [
        ("title", good.replace("//! title: t\n", "")),
        ("verdict", good.replace("//! verdict: race\n", "")),
        ("constructs", good.replace("//! constructs: isolated\n", "")),
        ("unknown key", format!("//! colour: red\n{good}")),
        ("unknown verdict", good.replace("verdict: race", "verdict: racy")),
        ("unknown construct", good.replace("isolated", "threads")),
        ("order", good.replace("isolated", "isolated async")),
        ("ascending", good.replace("x 1 2", "x 2 1")),
        ("two lines", good.replace("x 1 2", "x 1")),
        ("contradicts", good.replace("verdict: race", "verdict: clean")),
        ("contradicts", good.replace("race: x", "order: x")),
        ("twice", format!("{good}//! verdict: race\n")),
        ("overrides nothing", format!("{good}//! drdp: clean\n")),
        ("finals", format!("{good}//! finals: 1 many\n")),
        ("two numbers", format!("{good}//! finals: 2\n")),
        ("not possible", format!("{good}//! finals: 1 2\n")),
        ("deadlock", format!("{good}//! deadlock: no\n")),
        ("no value", format!("{good}//! finals:\n")),
        ("no colon", format!("{good}//! finals\n")),
        ("after the header", format!("{good}\n//! finals: 1 1\n")),
    ];
    for (reason, text) in cases {
        let problem = parse_header(&text).expect_err(reason);
        assert!(problem.contains(reason), "{problem:?} does not speak of {reason:?}");
    }
}
