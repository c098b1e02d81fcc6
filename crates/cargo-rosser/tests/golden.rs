//! Whole reports, as a user sees them. After a deliberate change, look at each and accept it with
//! `INSTA_UPDATE=always cargo test -p cargo-rosser --test golden`.

mod rosser_command;

use insta::assert_snapshot;
use rosser_command::{Ran, rosser, with_input};

/// Both streams and the exit code.
fn shown(ran: &Ran) -> String {
    let stream = |name: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("--- {name}\n{text}") }
    };
    let (stdout, stderr) = (stream("stdout", &ran.stdout), stream("stderr", &ran.stderr));
    format!("{stdout}{stderr}--- exit code {}\n", ran.code)
}

fn check(file: &str) -> String {
    shown(&rosser(&["model", "check", file]))
}

#[test]
fn a_race() {
    assert_snapshot!(check("programs/drdp/fig01-set-and-get.tp3"));
}

#[test]
fn a_race_at_one_place_by_two_tasks() {
    assert_snapshot!(check("programs/nondeterminator/fig01-two-increments.tp3"));
}

#[test]
fn races_on_several_elements() {
    assert_snapshot!(check("programs/drdp/fig10-matmul-parallel-k.tp3"));
}

#[test]
fn an_order_dependence() {
    assert_snapshot!(check("programs/lessons/bank-isolated.tp3"));
}

#[test]
fn a_semaphore_that_orders_in_this_run() {
    assert_snapshot!(check("programs/netzer-miller/semaphore-two-producers.tp3"));
}

#[test]
fn a_deadlock() {
    assert_snapshot!(check("programs/lessons/deadlock-two-promises.tp3"));
}

#[test]
fn an_error_at_run_time() {
    assert_snapshot!(check("programs/lessons/error-second-set.tp3"));
}

#[test]
fn a_syntax_error() {
    let program = "x <- alloc\nasync {\n    store 1 too x\n}\n";
    assert_snapshot!(shown(&with_input(&["model", "check", "-"], program)));
}

#[test]
fn a_detector_that_cannot() {
    let file = "programs/lessons/future-pipeline.tp3";
    assert_snapshot!(shown(&rosser(&["model", "check", "--detector", "sp-bags", file])));
}

#[test]
fn an_exploration() {
    assert_snapshot!(shown(&rosser(&["model", "explore", "programs/lessons/bank-isolated.tp3"])));
}

fn validated(file: &str, more: &[&str]) -> String {
    shown(&rosser(&[&["model", "validate", file], more].concat()))
}

#[test]
fn figure_1_validated() {
    assert_snapshot!(validated("programs/netzer-miller/fig01-ordering-graph.tp3", &[]));
}

#[test]
fn five_events_validated() {
    assert_snapshot!(validated("programs/netzer-miller/five-events.tp3", &[]));
}

#[test]
fn a_race_that_this_run_hid() {
    let file = "programs/netzer-miller/semaphore-two-producers.tp3";
    assert_snapshot!(validated(file, &[]));
    assert_snapshot!(validated(file, &["--format", "json"]));
}

#[test]
fn figure_1_in_its_true_order() {
    let file = "programs/netzer-miller/fig01-ordering-graph.tp3";
    assert_snapshot!(validated(file, &["--precise", "--all", "--seed", "5"]));
}

#[test]
fn nothing_to_validate() {
    assert_snapshot!(validated("programs/netzer-miller/fig01-queue-semaphore.tp3", &[]));
}

/// A trace in a directory that goes away.
fn trace(program: &str, more: &[&str]) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.rosser-trace").to_str().unwrap().to_owned();
    rosser(&[&["model", "validate", program, "--record", &path], more].concat());
    (directory, path)
}

#[test]
fn a_trace_analysed() {
    let (_directory, path) = trace("programs/netzer-miller/semaphore-two-producers.tp3", &[]);
    assert_snapshot!(shown(&rosser(&["analyze", &path])));
    assert_snapshot!(shown(&rosser(&["trace", "info", &path])));
    assert_snapshot!(shown(&rosser(&["trace", "dump", &path])));
    assert_snapshot!(shown(&rosser(&["trace", "export", "--std", &path])));
}

#[test]
fn a_trace_for_rapid() {
    let (_directory, path) = trace("programs/lessons/bank-isolated.tp3", &["--precise"]);
    assert_snapshot!(shown(&rosser(&["trace", "export", "--std", &path])));
}

#[test]
fn a_torn_trace_analysed() {
    let (_directory, path) = trace("programs/netzer-miller/five-events.tp3", &[]);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 40]).unwrap();
    let shown = shown(&rosser(&["analyze", &path]));
    assert_snapshot!(shown);
    std::fs::write(&path, &bytes[..5]).unwrap();
    let ran = rosser(&["analyze", &path]);
    assert!(ran.stderr.contains("it is no trace of Rosser"), "{}", ran.stderr);
    assert_eq!(ran.code, 2);
}
