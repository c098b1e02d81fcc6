//! Files that are not what they should be.

use rosser_report::Error;
use rosser_runfile::{FINDING_WORDS, FINDINGS, FINDINGS_AT, MODULES, finding, header};

use crate::runs::{FindingWords, RunWords, Runs};

fn error_of(bytes: &[u8]) -> Error {
    let runs = Runs::new(&[]);
    runs.write("7.rosser-run", bytes);
    runs.load().expect_err("the file is bad")
}

#[test]
fn no_runs() {
    let runs = Runs::new(&[]);
    runs.write("other.txt", "not a run file");
    let error = runs.load().expect_err("there is none");
    assert!(matches!(error, Error::NoRuns { .. }));
    assert!(error.to_string().contains("run one with `cargo rosser run` or `cargo rosser test`"));
}

#[test]
fn foreign_files() {
    for bytes in [&b""[..], b"short", &[b'x'; 5_000]] {
        assert!(matches!(error_of(bytes), Error::Foreign { .. }));
    }
}

#[test]
fn other_versions() {
    let mut run = RunWords::new(7);
    run.set(header::VERSION, 99);
    let error = error_of(&run.to_bytes());
    assert!(matches!(error, Error::Version { found: 99, .. }));
    assert!(error.to_string().contains("update cargo-rosser"), "{error}");
}

#[test]
fn truncated_files() {
    let mut run = RunWords::new(7);
    run.finding(&FindingWords::race());
    let bytes = run.to_bytes();
    let whole = (FINDINGS_AT + FINDING_WORDS) * 8;
    assert_eq!(bytes.len(), whole);
    for length in [16, 4_096, FINDINGS_AT * 8 + 1, whole - 1] {
        let error = error_of(&bytes[..length]);
        assert!(matches!(error, Error::Truncated { .. }), "{length}: {error}");
    }
}

#[test]
fn impossible_contents() {
    let mut run = RunWords::new(7);
    run.set(header::MODULES, MODULES as u64 + 1);
    assert!(matches!(error_of(&run.to_bytes()), Error::Damaged { .. }));
    let mut run = RunWords::new(7);
    run.set(header::STATE, 12);
    assert!(error_of(&run.to_bytes()).to_string().contains("a state, 12, that does not exist"));
}

#[test]
fn a_file_without_findings_is_fine() {
    let counts = Runs::new(&[&RunWords::new(7)]).report().counts();
    assert_eq!(counts, rosser_report::Counts::default());
}

#[test]
fn unfinished_and_lost_findings_are_counted() {
    let mut run = RunWords::new(7);
    run.finding(FindingWords::race().set(finding::READY, 0)).finding(&FindingWords::race());
    let tallies = Runs::new(&[&run]).report().counts().tallies;
    assert_eq!((tallies.unfinished, tallies.lost), (1, 0));

    let mut full = RunWords::new(7);
    full.words.resize(FINDINGS_AT + FINDINGS * FINDING_WORDS, 0);
    full.set(header::FINDINGS, FINDINGS as u64 + 5);
    let tallies = Runs::new(&[&full]).report().counts().tallies;
    assert_eq!((tallies.unfinished, tallies.lost), (FINDINGS as u64, 5));
}
