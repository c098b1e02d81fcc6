//! The command from outside: exit codes, what goes to which stream, JSON, and clear errors for
//! every kind of bad input.

mod rosser_command;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use rosser_command::{command, finish, rosser, with_input};
use serde_json::{Value, json};

const RACE: &str = "programs/drdp/fig01-set-and-get.tp3";
const CLEAN: &str = "programs/drdp/fig06-promise-in-memory.tp3";
const ORDER: &str = "programs/lessons/bank-isolated.tp3";
const DEADLOCK: &str = "programs/lessons/deadlock-two-promises.tp3";
const FAILS: &str = "programs/lessons/error-second-set.tp3";
const INVALID: &str = "programs/lessons/error-task-in-isolated.tp3";

/// A path for a file that a test writes.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a file for a test.
fn written(name: &str, bytes: &[u8]) -> String {
    let path = scratch(name);
    std::fs::write(&path, bytes).expect("it can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// Checks a program given as text.
fn check(program: &str) -> rosser_command::Ran {
    with_input(&["model", "check", "-"], program)
}

#[test]
fn exit_codes_of_check() {
    let cases = [
        (CLEAN, 0),
        (ORDER, 0),
        (RACE, 66),
        (DEADLOCK, 3),
        (FAILS, 1),
        (INVALID, 1),
        ("no-such-file.tp3", 2),
    ];
    for (file, code) in cases {
        assert_eq!(rosser(&["model", "check", file]).code, code, "{file}");
    }
    assert_eq!(rosser(&["model", "check", "--strict", ORDER]).code, 66);
    assert_eq!(rosser(&["model", "check", "--strict", CLEAN]).code, 0);
}

#[test]
fn exit_codes_of_explore() {
    let cases = [(CLEAN, 0), (RACE, 66), (DEADLOCK, 3), (INVALID, 1), ("no-such-file.tp3", 2)];
    for (file, code) in cases {
        assert_eq!(rosser(&["model", "explore", file]).code, code, "{file}");
    }
    let failing = with_input(&["model", "explore", "-"], "a <- array 1\nv <- load a[1]\n");
    assert_eq!(failing.code, 1);
    assert!(failing.stdout.contains("line 2"), "{}", failing.stdout);
}

#[test]
fn several_files_give_the_most_telling_code() {
    let code = |files: &[&str]| {
        let mut arguments = vec!["model", "check"];
        arguments.extend(files);
        rosser(&arguments).code
    };
    assert_eq!(code(&[CLEAN, CLEAN]), 0);
    assert_eq!(code(&[DEADLOCK, CLEAN]), 3);
    assert_eq!(code(&[FAILS, DEADLOCK, CLEAN]), 1);
    assert_eq!(code(&[FAILS, "no-such-file.tp3"]), 2);
    assert_eq!(code(&[RACE, FAILS, "no-such-file.tp3", DEADLOCK, CLEAN]), 66);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for file in ["no-such-file.tp3", "programs", "/dev/zero"] {
        for verb in ["check", "explore", "graph"] {
            let ran = rosser(&["model", verb, file]);
            assert_eq!(ran.code, 2);
            assert_eq!(ran.stdout, "");
            let expected = format!("error: cannot read {file}: ");
            assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
        }
    }
}

#[test]
fn an_empty_file_is_a_clean_program() {
    let empty = written("empty.tp3", b"");
    for verb in ["check", "explore", "graph"] {
        let ran = rosser(&["model", verb, &empty]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{verb}");
    }
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let binary = written("binary.tp3", &[0x7F, b'E', b'L', b'F', 0xFF, 0x00, 0x80]);
    for verb in ["check", "explore", "graph"] {
        let ran = rosser(&["model", verb, &binary]);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains("is not UTF-8 text"), "{}", ran.stderr);
        assert!(ran.stderr.contains("offset 4"), "{}", ran.stderr);
    }
    let ran = rosser(&["model", "check", &written("zero.tp3", b"x <- alloc\n\0\n")]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains(":2:1"), "{}", ran.stderr);
}

#[test]
fn bad_arguments_are_usage_errors() {
    let cases: [(&[&str], &str); 9] = [
        (&["model", "check", "--frobnicate", CLEAN], "--frobnicate"),
        (&["model", "check", "--detector", "fasttrack", CLEAN], "fasttrack"),
        (&["model", "check", "--max-steps", "many", CLEAN], "many"),
        (&["model", "check", "--max-steps", "-1", CLEAN], "-1"),
        (&["model", "check", "--format", "xml", CLEAN], "xml"),
        (&["model", "check"], "<FILE>"),
        (&["model", "explore", "--max-schedules", "x", CLEAN], "x"),
        (&["model", "fuzz", "--constructs", "goto"], "goto"),
        (&["model", "dance"], "dance"),
    ];
    for (arguments, named) in cases {
        let ran = rosser(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains(named), "{}", ran.stderr);
    }
    assert!(rosser(cases[1].0).stderr.contains("possible values: auto"));
}

#[test]
fn errors_before_the_run_point_at_the_place() {
    let cases = [
        ("x <- alloc\nstore 1 too x\n", "expected `to`, found `too`", "2:9", "^^^"),
        ("async {\n", "never closed", "1:7", "^"),
        ("store 1 to nowhere\n", "nowhere", "1:12", "^^^^^^^"),
        ("x <- 1\nx <- 2\n", "x", "2:1", "^"),
        ("isolated {\n    async {\n    }\n}\n", "isolated", "2:5", "^^^^^"),
        ("p <- new_promise\nisolated {\n    p.set\n}\n", "isolated", "3:5", "^^^^^"),
        ("x <- 99999999999999999999\n", "64 bits", "1:6", "^^^"),
        ("€ <- 1\n", "€", "1:1", "^"),
    ];
    for (program, message, place, caret) in cases {
        let ran = check(program);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{program}");
        let title = ran.stderr.lines().next().unwrap_or_default();
        assert!(title.starts_with("error: ") && title.contains(message), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("<stdin>:{place}\n")), "{}", ran.stderr);
        assert!(ran.stderr.contains(caret), "{}", ran.stderr);
    }
}

/// Each row of the table of errors in docs/model-language.md.
#[test]
fn errors_at_run_time_point_at_the_place() {
    let cases = [
        ("p <- new_promise\np.set\np.set\n", "set a second time", "3:1"),
        ("x <- 3\nx.set\n", "expected a promise or a future, found", "2:1"),
        ("x <- 3\nx.get\n", "expected a promise or a future, found", "2:1"),
        ("f <- future {\n}\nf.set\n", "a future cannot be set", "3:1"),
        ("x <- 3\nx.P\n", "expected a semaphore, found", "2:1"),
        ("x <- 3\nx.V\n", "expected a semaphore, found", "2:1"),
        ("x <- 3\nv <- load x\n", "expected a shared variable, found", "2:1"),
        ("x <- 3\nstore 1 to x\n", "expected a shared variable, found", "2:1"),
        ("x <- 3\naccumulate 1 to x with +\n", "expected a shared variable, found", "2:1"),
        ("a <- array 4\nv <- load a\n", "one element at a time", "2:1"),
        ("x <- alloc\nv <- load x[0]\n", "not indexed", "2:1"),
        ("a <- array 4\nv <- load a[4]\n", "index 4 is out of range", "2:1"),
        ("a <- array 4\nv <- load a[-1]\n", "index -1 is out of range", "2:1"),
        ("p <- new_promise\nx <- p + 1\n", "expected an integer, found", "2:1"),
        ("p <- new_promise\nif (p) {\n}\n", "expected an integer, found", "2:1"),
        ("a <- array -1\n", "an array cannot have length -1", "1:1"),
        ("s <- new_semaphore -1\n", "a semaphore cannot start with count -1", "1:1"),
        ("x <- alloc\naccumulate 0 to x with /\n", "division by zero", "2:1"),
        ("end_finish\n", "`end_finish` without `begin_finish`", "1:1"),
        ("async {\n    begin_finish\n}\n", "`begin_finish` without `end_finish`", "3:1"),
        ("spawn {\n}\nfinish {\n    sync\n}\n", "`sync` cannot wait", "4:5"),
        ("a <- array 99999999999\n", "shared cells", "1:1"),
    ];
    for (program, message, place) in cases {
        let ran = check(program);
        assert_eq!(ran.code, 1, "{program}");
        assert!(ran.stdout.starts_with("error: "), "{}", ran.stdout);
        assert!(ran.stdout.contains(message), "{program}{}", ran.stdout);
        assert!(ran.stdout.contains(&format!("<stdin>:{place}\n")), "{program}{}", ran.stdout);
        assert!(ran.stdout.contains('^'), "{}", ran.stdout);
    }
}

const ENDLESS: &str = "x <- alloc\nstore 1 to x\nwhile (0 != load x) {\n}\n";

#[test]
fn an_endless_loop_is_stopped() {
    let ran = with_input(&["model", "check", "--max-steps", "1000", "-"], ENDLESS);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("<stdin>:3:"), "{}", ran.stdout);
    assert!(ran.stdout.contains("--max-steps"), "{}", ran.stdout);
    let ran = with_input(&["model", "explore", "--max-steps", "1000", "-"], ENDLESS);
    assert_eq!(ran.code, 5);
    assert!(ran.stdout.contains("more than 1,000 instructions"), "{}", ran.stdout);
    let ran = with_input(&["model", "graph", "--max-steps", "1000", "-"], ENDLESS);
    assert_eq!(ran.code, 5);
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
}

#[test]
fn a_detector_refuses_what_it_cannot_check() {
    let ran = rosser(&["model", "check", "--detector", "sp-bags", RACE]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error: `sp-bags` cannot check programs with `"));
    assert!(ran.stderr.contains("promise"), "{}", ran.stderr);
    let help = ran.stderr.lines().find(|line| line.contains("help:")).expect("it helps");
    assert!(help.contains("auto") && help.contains("drdp"), "{help}");
    assert!(!help.contains("sp-bags"), "{help}");
    let ran = with_input(&["model", "check", "--detector", "sp-bags", "-"], "async {\n}\n");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("with `async`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("<stdin>:1:1"), "{}", ran.stderr);
}

/// The JSON objects of a run, one from each line.
fn objects(arguments: &[&str]) -> (i32, Vec<Value>) {
    let mut all = vec!["model", "check", "--format", "json"];
    all.extend(arguments);
    let ran = rosser(&all);
    let parse = |line: &str| serde_json::from_str(line).expect("each line is an object");
    (ran.code, ran.stdout.lines().map(parse).collect())
}

#[test]
fn the_json_of_a_race() {
    let (code, reports) = objects(&[RACE]);
    assert_eq!((code, reports.len()), (66, 1));
    let expected = json!({
        "schema": "rosser-model-check",
        "version": 1,
        "file": RACE,
        "detector": "auto",
        "verdict": "race",
        "deadlock": false,
        "races": [{
            "variable": "x",
            "class": "data-race",
            "exclusion": "none",
            "first": {"line": 13, "column": 5, "access": "write", "task": "t1"},
            "second": {"line": 17, "column": 1, "access": "read", "task": "main"},
        }],
        "omitted_races": 0,
        "waiting": [],
        "tasks": [
            {"name": "main", "kind": "main", "parent": null, "line": null, "column": null},
            {"name": "t1", "kind": "async", "parent": "main", "line": 12, "column": 1},
        ],
        "output": [],
    });
    let report = reports[0].as_object().expect("it is an object");
    for (key, value) in expected.as_object().expect("it is an object") {
        assert_eq!(&report[key], value, "{key}");
    }
    assert_eq!(report["counts"]["tasks"], 2);
    assert_eq!(report["counts"]["accesses"], 3);
    assert!(report["counts"]["events"].is_u64());
    assert!(!report.contains_key("error") && !report.contains_key("stats"));
}

#[test]
fn the_json_of_an_accumulation_has_its_operator() {
    let (_, reports) = objects(&["programs/nondeterminator/fig13-mixed-operators.tp3"]);
    assert_eq!(reports[0]["verdict"], "order-dependent");
    let race = &reports[0]["races"][0];
    assert_eq!(race["class"], "order-dependent");
    assert_eq!(race["exclusion"], "atomic");
    assert_eq!(race["first"]["access"], "accumulate");
    assert!(race["first"]["operator"].is_string());
    assert_ne!(race["first"]["operator"], race["second"]["operator"]);
}

#[test]
fn the_json_of_a_deadlock() {
    let (code, reports) = objects(&[DEADLOCK]);
    assert_eq!(code, 3);
    assert_eq!(reports[0]["verdict"], "clean");
    assert_eq!(reports[0]["deadlock"], true);
    let waiting = reports[0]["waiting"].as_array().expect("it is an array");
    let at = |index: usize| (&waiting[index]["task"], &waiting[index]["line"]);
    assert_eq!(waiting.len(), 3);
    assert_eq!(at(0), (&json!("main"), &json!(27)));
    assert_eq!(at(1), (&json!("t1"), &json!(19)));
    assert_eq!(at(2), (&json!("t2"), &json!(24)));
    assert!(waiting.iter().all(|task| task["waits_for"].is_string()));
}

#[test]
fn the_json_of_a_program_that_fails() {
    for (file, ran, line, column) in [(FAILS, true, 11, 13), (INVALID, false, 10, 9)] {
        let (code, reports) = objects(&[file]);
        assert_eq!((code, reports.len()), (1, 1));
        assert_eq!(reports[0]["verdict"], "error");
        assert_eq!(reports[0]["file"], file);
        let error = &reports[0]["error"];
        assert!(error["message"].is_string());
        assert_eq!((&error["line"], &error["column"]), (&json!(line), &json!(column)));
        assert_eq!(reports[0]["counts"].is_object(), ran);
    }
}

#[test]
fn the_json_of_standard_input_names_it() {
    for program in ["x <- alloc\n", "x <-\n"] {
        let ran = with_input(&["model", "check", "--format", "json", "-"], program);
        let report: Value = serde_json::from_str(&ran.stdout).expect("it is an object");
        assert_eq!(report["file"], "<stdin>", "{program}");
    }
}

#[test]
fn the_json_of_several_files_is_a_line_each() {
    let (code, reports) = objects(&[CLEAN, RACE, INVALID, DEADLOCK, ORDER, "--stats"]);
    assert_eq!(code, 66);
    let verdicts: Vec<_> = reports.iter().map(|report| report["verdict"].clone()).collect();
    assert_eq!(verdicts, ["clean", "race", "error", "clean", "order-dependent"]);
    assert!(reports[0]["stats"].as_object().is_some_and(|stats| !stats.is_empty()));
}

#[test]
fn what_is_printed_is_in_both_reports() {
    let program = "async {\n    print 7\n}\nprint 8\n";
    assert!(check(program).stdout.starts_with("t1 prints 7\nmain prints 8\n"));
    let ran = with_input(&["model", "check", "--format", "json", "-"], program);
    let report: Value = serde_json::from_str(&ran.stdout).expect("it is an object");
    let expected = json!([{"task": "t1", "text": "7"}, {"task": "main", "text": "8"}]);
    assert_eq!(report["output"], expected);
}

#[test]
fn standard_input_is_a_program() {
    let ran = check("x <- alloc\nasync {\n    store 1 to x\n}\nv <- load x\n");
    assert_eq!((ran.code, ran.stderr.as_str()), (66, ""));
    assert!(ran.stdout.contains("<stdin>:5:1"), "{}", ran.stdout);
}

#[test]
fn explore_shows_two_schedules_side_by_side() {
    let ran = rosser(&["model", "explore", ORDER]);
    assert_eq!(ran.code, 66);
    assert!(ran.stdout.contains("side by side"), "{}", ran.stdout);
    assert!(ran.stdout.contains("final state 1 "), "{}", ran.stdout);
    assert!(ran.stdout.contains("final state 2 "), "{}", ran.stdout);
    assert!(ran.stdout.contains("differs"), "{}", ran.stdout);
    let split = ran.stdout.lines().filter(|line| line.contains('│')).count();
    assert!(split >= 4, "{}", ran.stdout);
}

#[test]
fn explore_says_when_it_stopped_early() {
    for reduction in [&[][..], &["--no-reduction"]] {
        let mut arguments = vec!["model", "explore", "--max-schedules", "1", ORDER];
        arguments.extend(reduction);
        let ran = rosser(&arguments);
        assert_eq!(ran.code, 5);
        assert!(ran.stdout.contains("not all schedules were covered"), "{}", ran.stdout);
        assert!(ran.stdout.contains("limit of 1 schedule"), "{}", ran.stdout);
    }
}

/// A task that waits in a loop has schedules without end; what can be found is found all the same.
#[test]
fn explore_stops_at_its_limit_on_instructions() {
    let spin = "x <- alloc\nstore 1 to x\nasync { store 0 to x }\nwhile (0 != load x) { }\n";
    let ran = with_input(&["model", "explore", "--max-total-steps", "20000", "-"], spin);
    assert_eq!(ran.code, 5);
    assert!(ran.stdout.contains("limit of 20,000 instructions in all"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 distinct final state"), "{}", ran.stdout);
}

#[test]
fn graph_draws_four_pictures() {
    for what in ["computation", "dpst"] {
        let svg = rosser(&["model", "graph", "--what", what, RACE]);
        assert_eq!((svg.code, svg.stderr.as_str()), (0, ""));
        assert!(svg.stdout.starts_with("<svg") || svg.stdout.starts_with("<?xml"));
        assert!(svg.stdout.trim_end().ends_with("</svg>"));
        let dot = rosser(&["model", "graph", "--what", what, "--format", "dot", RACE]);
        assert_eq!((dot.code, dot.stderr.as_str()), (0, ""));
        assert!(dot.stdout.starts_with("digraph"));
        assert!(dot.stdout.trim_end().ends_with('}'));
    }
}

#[test]
fn graph_draws_single_statements_with_their_locals() {
    let svg = rosser(&["model", "graph", "--detail", "statement", RACE]);
    assert_eq!((svg.code, svg.stderr.as_str()), (0, ""));
    assert!(svg.stdout.contains("{x:r y:p}"), "{}", svg.stdout);
    assert!(svg.stdout.contains("Unful(y)") && svg.stdout.contains("Ful(y)"), "{}", svg.stdout);
}

/// What grows with the square of a run, or cannot be read, is refused and not attempted.
#[test]
fn runs_that_are_too_long_for_a_picture_or_the_oracle_are_refused() {
    let wide = "x <- alloc\nfinish { for i in 0..20000 { async { v <- load x } } }\n";
    let oracle = with_input(&["model", "check", "--detector", "oracle", "-"], wide);
    assert_eq!(oracle.code, 5);
    assert!(oracle.stdout.contains("80,003 task events are too many"), "{}", oracle.stdout);
    let picture = with_input(&["model", "graph", "-"], wide);
    assert_eq!((picture.code, picture.stdout.as_str()), (5, ""));
    assert!(picture.stderr.contains("more than 2,000 steps"), "{}", picture.stderr);
    let long = "x <- alloc\nfor i in 0..20000 { store i to x }\n";
    let picture = with_input(&["model", "graph", "--detail", "statement", "-"], long);
    assert_eq!((picture.code, picture.stdout.as_str()), (5, ""));
    assert!(picture.stderr.contains("more than 2,000 statements"), "{}", picture.stderr);
    assert_eq!(with_input(&["model", "graph", "-"], long).code, 0);
}

#[test]
fn graph_writes_where_it_is_told() {
    let path = scratch("picture.svg");
    let name = path.to_str().expect("the path is UTF-8");
    let ran = rosser(&["model", "graph", RACE, "-o", name]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let written = std::fs::read_to_string(&path).expect("it was written");
    assert_eq!(written, rosser(&["model", "graph", RACE]).stdout);
    let ran = rosser(&["model", "graph", RACE, "-o", "no-such-directory/picture.svg"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let expected = "error: cannot write no-such-directory/picture.svg: ";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}

#[test]
fn graph_tells_of_runs_that_do_not_finish() {
    let ran = rosser(&["model", "graph", DEADLOCK]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.starts_with("note: the run deadlocked"), "{}", ran.stderr);
    let ran = rosser(&["model", "graph", FAILS]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains(&format!("{FAILS}:11:13")), "{}", ran.stderr);
}

#[test]
fn the_fuzzer_finds_no_mismatch() {
    let path = scratch("mismatch.tp3");
    let name = path.to_str().expect("the path is UTF-8");
    let ran = rosser(&["model", "fuzz", "--cases", "200", "--output", name]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("200 programs "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("no mismatch\n"), "{}", ran.stdout);
}

/// An algorithm without one of its corrections is caught, and the program that shows it is small,
/// is written, and can be checked.
#[test]
fn the_fuzzer_finds_a_missing_correction() {
    let path = scratch("empty-tasks.tp3");
    let name = path.to_str().expect("the path is UTF-8");
    let fuzz = ["model", "fuzz", "--uncorrected-drdp", "empty-tasks", "--cases", "200000"];
    let mut arguments = fuzz.to_vec();
    arguments.extend(["--output", name]);
    let ran = rosser(&arguments);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("mismatch: drdp missed"), "{}", ran.stdout);
    let text = std::fs::read_to_string(&path).expect("it was written");
    assert!(text.lines().count() < 40, "{text}");
    let checked = rosser(&["model", "check", "--detector", "drdp", name]);
    assert!([0, 3, 66].contains(&checked.code), "{checked:?}");
    assert_eq!(checked.stderr, "");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut arguments = vec!["model", "check"];
    arguments.extend([RACE; 500]);
    let mut child = command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.code().is_some(), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn colours_are_only_for_those_who_want_them() {
    for file in [RACE, ORDER, DEADLOCK, INVALID] {
        let plain = rosser(&["model", "check", file]);
        let forced = finish(command(&["model", "check", file]).env("CLICOLOR_FORCE", "1"));
        let refused = finish(
            command(&["model", "check", file]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"),
        );
        assert!((forced.stdout + &forced.stderr).contains('\x1b'), "{file}");
        assert!(!(plain.stdout + &plain.stderr).contains('\x1b'), "{file}");
        assert!(!(refused.stdout + &refused.stderr).contains('\x1b'), "{file}");
    }
}
