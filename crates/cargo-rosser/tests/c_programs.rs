//! The C and C++ programs of `rosser-c`, through `rosser cc`, `rosser c++` and `rosser run`: what is found
//! must be what their sources mark, no more and no less.
//!
//! Without a C++ compiler the programs in C++ are left out, and that is said.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A class and the two lines, the smaller first.
type Found = BTreeSet<(String, u64, u64)>;

fn rosser() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosser"));
    command.current_dir(programs()).env("ROSSER_CACHE_DIR", scratch());
    command
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rosser-c/tests/c").canonicalize().unwrap()
}

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("c")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The sources of a directory, by name. Those in C++ only if there is a compiler.
fn sources(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(programs().join(directory)).expect("it can be read");
    let mut sources: Vec<PathBuf> =
        entries.map(|entry| Path::new(directory).join(entry.unwrap().file_name())).collect();
    sources.sort();
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("there is no C++ compiler: programs in C++ are left out");
        sources.retain(|source| !is_cpp(source));
    }
    sources
}

fn is_cpp(source: &Path) -> bool {
    source.extension().is_some_and(|extension| extension == "cpp")
}

/// Compiles a program, in one go or in two.
fn compile(source: &Path, in_one_go: bool) -> PathBuf {
    let name = source.file_name().expect("it is a file").to_str().expect("names are plain");
    let binary = scratch().join("bin").join(name.replace('.', "_"));
    fs::create_dir_all(binary.parent().unwrap()).expect("it can be made");
    let compiler = || {
        let mut command = rosser();
        if is_cpp(source) {
            command.args(["c++", "-std=c++17", "-O1"]);
        } else {
            command.args(["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1"]);
        }
        command
    };
    let link = |from: &Path| {
        let output = compiler().arg(from).arg("-o").arg(&binary).output().expect("it starts");
        assert!(output.status.success(), "{name} does not link:\n{}", said(&output));
    };
    if in_one_go {
        link(source);
    } else {
        let object = binary.with_extension("o");
        let output = compiler().arg("-c").arg(source).arg("-o").arg(&object).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{name} does not compile:\n{}", said(&output));
        link(&object);
    }
    binary
}

/// What the marks of a source say is to be found.
fn expected(source: &Path) -> Found {
    let text = fs::read_to_string(programs().join(source)).expect("it can be read");
    let mut marks: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, list)) = text.split_once("//~ ") else { continue };
        for mark in list.split(", ") {
            marks.entry(mark).or_default().push(line);
        }
    }
    let class = |mark: &str| {
        if mark.starts_with("race") { "data-race" } else { "order-dependent" }.to_owned()
    };
    marks.into_iter().map(|(mark, lines)| (class(mark), lines[0], *lines.last().unwrap())).collect()
}

fn found(report: &str) -> Found {
    let lines = report.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .filter(|line| line["type"] == "finding")
        .map(|finding| {
            let line = |access: &str| finding[access]["place"]["line"].as_u64().unwrap_or(0);
            let (first, second) = (line("first"), line("second"));
            let class = finding["class"].as_str().expect("a string").to_owned();
            (class, first.min(second), first.max(second))
        })
        .collect()
}

#[test]
fn programs_give_what_they_mark() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (index, source) in sources("race").iter().chain(&sources("clean")).enumerate() {
        let binary = compile(source, index % 2 == 0);
        let report = binary.with_extension("jsonl");
        let mut command = rosser();
        command.args(["run", "--format", "json", "--output"]).arg(&report).arg(&binary);
        let output = command.output().expect("it starts");
        let (expected, found) = (expected(source), found(&fs::read_to_string(&report).unwrap()));
        let raced = expected.iter().any(|(class, ..)| class == "data-race");
        let code = if raced { 66 } else { 0 };
        if expected != found || output.status.code() != Some(code) {
            let (source, code) = (source.display(), output.status.code());
            wrong.push(format!(
                "{source}: exit code {code:?}\n  marked {expected:?}\n  found  {found:?}\n{}",
                said(&output)
            ));
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked > 30, "only {checked} programs");
}

#[test]
fn errors_end_with_a_message_and_an_abort() {
    for source in sources("errors") {
        let binary = compile(&source, true);
        let output = rosser().arg("run").arg(&binary).output().expect("it starts");
        let (code, said) = (output.status.code(), said(&output));
        let text = fs::read_to_string(programs().join(&source)).expect("it can be read");
        // 128 and the number of SIGABRT.
        assert_eq!(code, Some(134), "{}:\n{said}", source.display());
        for expected in text.lines().filter_map(|line| line.strip_prefix("//@ says: ")) {
            assert!(said.contains(expected), "{}: no `{expected}` in\n{said}", source.display());
        }
    }
}

#[test]
fn a_program_that_was_not_linked_by_rosser_is_not_called_clean() {
    let output = rosser().args(["run", "true"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("nothing was checked"), "{}", said(&output));
}

#[test]
fn a_compiler_that_is_missing_is_named() {
    let output = rosser().env("CC", "no-such-compiler").args(["cc", "a.c"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("cannot run no-such-compiler"), "{}", said(&output));
}
