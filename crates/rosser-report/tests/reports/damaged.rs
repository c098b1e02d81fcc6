//! Files that are not what they should be.

use rosser_abi::run_file::{FINDING_WORDS, FINDINGS, FINDINGS_AT, MODULES, finding, header, state};
use rosser_report::{Error, Style};

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
    for bytes in [&b"short"[..], &[b'x'; 5_000]] {
        assert!(matches!(error_of(bytes), Error::Foreign { .. }));
    }
}

#[test]
fn empty_files_tell_of_the_disk() {
    for bytes in [&b""[..], &[0; 5_000]] {
        let error = error_of(bytes);
        assert!(matches!(error, Error::Empty { .. }), "{error}");
        assert!(error.to_string().contains("the disk was full"), "{error}");
    }
}

#[test]
fn a_pipe_is_not_waited_for() {
    let runs = Runs::new(&[]);
    let pipe = runs.directory.path().join("7.rosser-run");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("it starts");
    assert!(made.success());
    assert!(matches!(runs.load().expect_err("it is no file"), Error::Foreign { .. }));
}

#[test]
fn other_processes_are_reported_beside_a_bad_file() {
    let mut race = RunWords::new(8);
    race.finding(&FindingWords::race());
    let runs = Runs::new(&[&race, &RunWords::new(9)]);
    runs.write("7-1.rosser-run", "");
    let report = runs.report();
    let counts = report.counts();
    assert_eq!((counts.data_races, counts.incomplete, report.runs().len()), (1, 1, 2));
    let text = report.text(Style::default());
    assert!(text.contains("nothing was written into"), "{text}");

    // Nothing was found, but of one process nothing is known.
    let runs = Runs::new(&[&RunWords::new(9)]);
    runs.write("7-1.rosser-run", "");
    let report = runs.report();
    assert_eq!(report.counts().incomplete, 1);
    let text = report.text(Style::default());
    assert!(text.starts_with("verdict: no determinacy race as far as the program ran"), "{text}");
}

#[test]
fn processes_with_the_same_id_are_two() {
    let runs = Runs::new(&[]);
    let mut killed = RunWords::new(7);
    killed.set(header::STATE, state::RUNNING);
    runs.write("7-1.rosser-run", killed.to_bytes());
    runs.write("7-2.rosser-run", RunWords::new(7).to_bytes());
    let report = runs.report();
    assert_eq!((report.runs().len(), report.counts().incomplete), (2, 1));
    let text = report.text(Style::default());
    assert!(text.starts_with("verdict: no determinacy race as far as the program ran"), "{text}");
}

#[test]
fn whoever_leaves_tasks_behind_claims_nothing_about_them() {
    for (state, verb) in [(state::ENDED, "ended itself"), (state::REPLACED, "executed another")] {
        let mut run = RunWords::new(7);
        run.set(header::STATE, state);
        assert_eq!(Runs::new(&[&run]).report().counts().incomplete, 0);
        run.set(header::OPEN, 1);
        let report = Runs::new(&[&run]).report();
        assert_eq!(report.counts().incomplete, 1);
        let text = report.text(Style::default());
        let first = "verdict: no determinacy race as far as the program ran";
        assert!(text.starts_with(first) && text.contains(verb), "{text}");
        assert!(report.github().contains("as far as the program ran"));
    }
}

#[test]
fn findings_that_a_full_disk_has_no_room_for_are_lost() {
    let mut run = RunWords::new(7);
    run.finding(FindingWords::race().set(finding::READY, 0)).set(header::NO_ROOM, 1);
    let report = Runs::new(&[&run]).report();
    let counts = report.counts();
    assert_eq!((counts.tallies.unfinished, counts.tallies.lost, counts.incomplete), (0, 1, 1));
    assert!(report.text(Style::default()).contains("the disk was full"));
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
