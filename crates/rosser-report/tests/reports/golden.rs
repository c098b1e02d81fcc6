//! Whole reports, as a user sees them.

use insta::assert_snapshot;
use rosser_abi::run_file::{access, class, finding, header, object, state, stop, task, via};
use rosser_detect::{Construct, DetectorKind};
use rosser_report::Style;

use crate::executable::{address_of, call_at, call_in};
use crate::exempt::in_mutex;
use crate::normal::normal;
use crate::runs::{FindingWords, RunWords, Runs};

fn text(run: &RunWords) -> String {
    let runs = Runs::new(&[run]);
    normal(&runs.report().text(Style::default()), &runs)
}

#[test]
fn a_race_on_the_heap() {
    let mut run = RunWords::new(7);
    run.finding(FindingWords::race().set(finding::COUNT, 4_097));
    assert_snapshot!(text(&run));
}

#[test]
fn an_order_dependence_on_a_static() {
    let mut run = RunWords::new(7);
    run.finding(&FindingWords::order());
    assert_snapshot!(text(&run));
}

#[test]
fn a_local_variable_and_an_inlined_function() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    words.set(finding::SECOND_ACCESS, access::WRITE).set(finding::FIRST_EXACT, 0);
    words.set(finding::FIRST_PC, address_of("bump"));
    words.set(finding::OBJECT, object::STACK).set(finding::OBJECT_FRAME, 1);
    words.stack(&[address_of("bump"), call_at("bank")]);
    run.finding(&words);
    assert_snapshot!(text(&run));
}

#[test]
fn a_first_access_in_a_library() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    words.set(finding::FIRST_PC, in_mutex());
    words.set(finding::FIRST_CALLER, call_at("count"));
    run.finding(&words);
    assert_snapshot!(text(&run));
}

#[test]
fn ordered_by_a_lock() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    words.set(finding::CLASS, class::ORDER_DEPENDENT).set(finding::VIA, via::RELEASE_ACQUIRE);
    words.set(finding::ACQUIRE_PC, address_of("observe"));
    words.set(finding::RELEASE_PC, address_of("publish"));
    run.finding(&words);
    assert_snapshot!(text(&run));
}

#[test]
fn a_whole_test_suite() {
    let in_test = |test: u64| {
        let mut words = FindingWords::race();
        words.set(finding::OBJECT_START, 0x5000 + test);
        words
    };
    let harness = |words: &mut FindingWords| {
        let begin = call_in("test::__rust_begin_short_backtrace");
        words.stack(&[address_of("audit"), call_at("bank"), begin]);
    };
    let mut first = RunWords::new(7);
    let mut words = in_test(0);
    harness(&mut words);
    first.finding(&words);
    let mut second = RunWords::new(8);
    second.args(&["target/debug/other-0123456789abcdef", "--exact", "tests::one", "--nocapture"]);
    second.finding(&in_test(1)).finding(&in_test(2));
    // The same pair the other way round is the same finding.
    let mut reversed = in_test(3);
    reversed.set(finding::FIRST_PC, address_of("audit"));
    reversed.stack(&[address_of("deposit"), call_at("bank")]);
    let mut third = RunWords::new(9);
    third.args(&["target/debug/other-0123456789abcdef", "--exact", "tests::two"]);
    third.finding(&reversed).finding(&FindingWords::order());
    let runs = Runs::new(&[&first, &second, &third]);
    let report = runs.report();
    assert_eq!((report.counts().data_races, report.counts().order_dependent), (1, 1));
    assert_snapshot!(normal(&report.text(Style::default()), &runs));
}

#[test]
fn everything_on_request() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    let begin = call_in("test::__rust_begin_short_backtrace");
    words.stack(&[address_of("audit"), call_at("bank"), begin]);
    words.set(finding::STACK_INNER, 2).set(finding::STACK_OMITTED, 100_000);
    run.finding(&words);
    let runs = Runs::new(&[&run]);
    let style = Style { verbose: true, ..Style::default() };
    assert_snapshot!(normal(&runs.report().text(style), &runs));
}

#[test]
fn nothing_to_report() {
    let mut run = RunWords::new(7);
    run.set(header::COMMUTING, 12).set(header::THREAD_LOCAL, 3).set(header::OTHER_THREADS, 2);
    run.set(header::OTHER_REGIONS, 1).set(header::CROWDED, 1).set(header::UNMONITORED, 5);
    assert_snapshot!(text(&run));
}

#[test]
fn no_task_was_started() {
    let mut run = RunWords::new(7);
    run.set(header::TASKS, 0).set(header::STEPS, 1).set(header::REGIONS, 0);
    assert_snapshot!(text(&run));
}

#[test]
fn runs_that_ended_early() {
    let mut blocked = RunWords::new(7);
    blocked.set(header::STATE, state::STOPPED).set(header::STATE_DETAIL, stop::BLOCKED);
    blocked.set(header::STOP_STACK_LEN, 2);
    blocked.set(header::STOP_STACK, call_at("audit")).set(header::STOP_STACK + 1, call_at("bank"));
    let mut crashed = RunWords::new(8);
    crashed.set(header::STATE, state::SIGNALLED).set(header::STATE_DETAIL, 11);
    let mut killed = RunWords::new(9);
    killed.set(header::STATE, state::RUNNING);
    let runs = Runs::new(&[&blocked, &crashed, &killed]);
    let report = runs.report();
    assert_eq!(report.counts().stopped, 1);
    assert_snapshot!(normal(&report.text(Style::default()), &runs));
}

#[test]
fn refused_by_another_detector() {
    let mut run = RunWords::new(7);
    run.set(header::DETECTOR, DetectorKind::EspBags.number()).set(header::STATE, state::STOPPED);
    run.set(header::STATE_DETAIL, stop::NOT_ADMITTED);
    run.set(header::STOP_CONSTRUCT, Construct::Promise.number());
    let runs = Runs::new(&[&run]);
    let report = runs.report();
    assert_eq!(report.counts().stopped, 1);
    assert!(report.json_lines().contains(r#""detector":"esp-bags""#));
    assert_snapshot!(normal(&report.text(Style::default()), &runs));
}

#[test]
fn checked_on_several_workers() {
    let mut run = RunWords::new(7);
    run.set(header::DETECTOR, DetectorKind::SfOrder.number())
        .set(header::WORKERS, 2)
        .set(header::STD_SEEN, 0);
    let runs = Runs::new(&[&run]);
    let report = runs.report();
    assert!(report.json_lines().contains(r#""detector":"sf-order","workers":2"#));
    assert_snapshot!(normal(&report.text(Style::default()), &runs));
}

#[test]
fn programs_that_do_not_name_unseen_code_may_have_some() {
    let mut run = RunWords::new(7);
    assert!(!text(&run).contains("not seen"));
    run.set(header::STD_SEEN, 0);
    assert!(text(&run).contains("not seen: accesses by the standard library\n"));
    run.set(header::NAMES_UNSEEN, 0);
    assert!(text(&run).contains("not seen: accesses by code that was compiled without checks\n"));
}

#[test]
fn checked_by_a_detector_for_several_workers_on_one() {
    let mut run = RunWords::new(7);
    run.set(header::DETECTOR, DetectorKind::SfOrder.number()).set(header::WORKERS, 1);
    let text = text(&run);
    let expected = "verdict: sf-order: no determinacy race in any schedule for this input\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(!text.contains("worker"), "{text}");
}

#[test]
fn refused_on_several_workers() {
    let refused = |pid: u64, construct: u64| {
        let mut run = RunWords::new(pid);
        run.set(header::DETECTOR, DetectorKind::SfOrder.number()).set(header::WORKERS, 2);
        run.set(header::STATE, state::STOPPED).set(header::STATE_DETAIL, stop::NOT_ADMITTED);
        run.set(header::STOP_CONSTRUCT, construct);
        run
    };
    let unstructured = refused(7, Construct::Unstructured.number());
    let promise = refused(8, Construct::Promise.number());
    let runs = Runs::new(&[&unstructured, &promise]);
    assert_snapshot!(normal(&runs.report().text(Style::default()), &runs));
}

#[test]
fn killed_before_anything_was_counted() {
    let mut run = RunWords::new(7);
    run.set(header::TASKS, 0).set(header::STATE, state::RUNNING);
    let text = text(&run);
    let expected =
        "verdict: nothing is claimed: no task was recorded before the program ended early\n";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn sources_that_cannot_be_read() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    words.set(finding::FIRST_PC, 0x10).set(finding::FIRST_TASKS_LEN, 0);
    words.set(finding::OBJECT, object::OTHER).set(finding::OBJECT_START, 0);
    words.set(finding::SECOND_TASKS, task::SCOPE_SPAWN);
    words.stack(&[0x20, call_in("test::__rust_begin_short_backtrace")]);
    run.finding(&words);
    assert_snapshot!(text(&run));
}
