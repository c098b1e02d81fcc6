//! Small programs in C with one conflict each, for every way to start tasks and every type of value: hundreds in one
//! program, on lines of their own, through `rosser cc` and `rosser run`.
//!
//! In a racy case a finding must name lines of that case; in its clean twin there must be none. By default some of
//! the cases are run, optimised and not. `ROSSER_MATRIX=full` has all cases at all levels, by all compilers that there
//! are. `ROSSER_MATRIX_FILTER` restricts the run to compilers and flags that contain one of its words.

#[path = "c_matrix/case.rs"]
mod case;
#[path = "c_matrix/memory.rs"]
mod memory;
#[path = "c_matrix/values.rs"]
mod values;
#[path = "c_matrix/verdict.rs"]
mod verdict;
#[path = "c_matrix/ways.rs"]
mod ways;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use case::Program;

/// How many cases there are for each that is always run. Odd, so that there are racy and clean ones.
const STEP: usize = 41;

/// How many cases are in one program.
const TOGETHER: usize = 1_500;

#[test]
fn names_of_cases_are_unique() {
    let cases = ways::all();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len());
}

#[test]
fn every_case_gives_what_it_marks() {
    let is_full = env::var("ROSSER_MATRIX").is_ok_and(|choice| choice == "full");
    let cases = ways::all().into_iter().step_by(if is_full { 1 } else { STEP }).collect::<Vec<_>>();
    let configurations: &[&[&str]] = if is_full {
        &[&["-O0"], &["-O1"], &["-O2"], &["-O3"], &["-O2", "-march=native"]]
    } else {
        &[&["-O0"], &["-O2"]]
    };
    let mut differences = 0;
    for compiler in compilers(is_full) {
        for flags in configurations {
            let name = format!("{} {}", compiler, flags.join(" "));
            if !is_chosen(&name) {
                continue;
            }
            for (number, cases) in cases.chunks(TOGETHER).enumerate() {
                let program = Program::new(cases);
                let report = report(&program, number, &compiler, flags);
                differences += compare(&name, &program, &report);
            }
        }
    }
    assert_eq!(differences, 0, "so many cases are not as they should be");
}

/// How many differences there are, which are printed.
fn compare(name: &str, program: &Program, report: &str) -> usize {
    let differences = verdict::differences(program, report);
    println!("{name}: {} cases, {} differences", program.placed.len(), differences.len());
    for difference in &differences {
        println!("{name}: {difference}");
    }
    differences.len()
}

/// The compilers that are there: the usual one, or all.
fn compilers(all: bool) -> Vec<String> {
    let usual = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if !all {
        return vec![usual];
    }
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["gcc", "clang"].iter().filter(|name| is_there(name)).map(|name| (*name).to_owned()).collect()
}

fn is_chosen(name: &str) -> bool {
    let filter = env::var("ROSSER_MATRIX_FILTER").unwrap_or_default();
    let mut words = filter.split_whitespace().peekable();
    words.peek().is_none() || words.any(|word| name.contains(word))
}

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("c")
}

/// Compiles a program, runs it, and returns the report in JSON lines.
fn report(program: &Program, number: usize, compiler: &str, flags: &[&str]) -> String {
    let directory = scratch().join("matrix");
    fs::create_dir_all(&directory).expect("it can be made");
    let binary = directory.join(format!("{compiler}{}-{number}", flags.concat()));
    let (source, report) = (binary.with_extension("c"), binary.with_extension("jsonl"));
    fs::write(&source, &program.text).expect("it can be written");
    let _ = fs::remove_file(&report);
    let mut command = rosser();
    command.env("CC", compiler).args(["cc", "-std=gnu11", "-g", "-w"]).args(flags);
    let output = command.arg(&source).arg("-o").arg(&binary).output().expect("it starts");
    assert!(output.status.success(), "it does not compile:\n{}", said(&output));
    let mut command = rosser();
    command.args(["run", "--format", "json", "--output"]).arg(&report).arg(&binary);
    let output = command.output().expect("it starts");
    fs::read_to_string(&report).unwrap_or_else(|_| panic!("no report:\n{}", said(&output)))
}

fn rosser() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosser"));
    command.env("ROSSER_CACHE_DIR", scratch());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
