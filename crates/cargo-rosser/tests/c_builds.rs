//! `rosser cc` and `rosser c++` as the compilers of make, of a configure script and of `cmake`: the projects under
//! `builds/`, with a race at the marked line and without.
//!
//! Without `cmake` its project is left out, and that is said; `.ci/run` installs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ROSSER: &str = env!("CARGO_BIN_EXE_rosser");

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("c")
}

/// A command that finds `rosser` by its name, in an environment without compilers of the caller's.
fn command(program: &str, directory: &Path) -> Command {
    let mut command = Command::new(program);
    let here = Path::new(ROSSER).parent().unwrap();
    let path = format!("{}:{}", here.display(), std::env::var("PATH").unwrap());
    command.current_dir(directory).env("PATH", path).env("ROSSER_CACHE_DIR", scratch());
    for name in ["CC", "CXX", "CFLAGS", "MAKEFLAGS", "ROSSER_CC", "ROSSER_CXX"] {
        command.env_remove(name);
    }
    command
}

/// A command in a shell, which must succeed.
fn shell(script: &str, directory: &Path) -> String {
    let output = command("sh", directory).args(["-ec", script]).stdin(Stdio::null()).output();
    let output = output.expect("there is a shell");
    let text = format!("{}{}", said(&output.stdout), said(&output.stderr));
    let log = fs::read_to_string(directory.join("config.log")).unwrap_or_default();
    assert!(output.status.success(), "`{script}` in {}:\n{text}\n{log}", directory.display());
    said(&output.stdout)
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A copy of a project.
fn project(name: &str, variant: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builds").join(name);
    let to = scratch().join("builds").join(format!("{name}-{variant}"));
    let _ = fs::remove_dir_all(&to);
    fs::create_dir_all(&to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        fs::copy(&path, to.join(path.file_name().unwrap())).expect("it can be copied");
    }
    to
}

/// Runs a program of a project, checked. It must have a race at the marked line of a file and nowhere else, or
/// none if there is no such file.
fn check(directory: &Path, program: &str, racy: Option<&str>) {
    let report = directory.join("report.jsonl");
    let mut run = command(ROSSER, directory);
    run.args(["run", "--format", "json", "--output"]).arg(&report).arg(program);
    let output: Output = run.output().expect("it starts");
    let text = fs::read_to_string(&report)
        .unwrap_or_else(|_| panic!("{program} was not checked: {}", said(&output.stderr)));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let findings: Vec<Value> = lines.filter(|line| line["type"] == "finding").collect();
    let Some(file) = racy else {
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output.stderr));
        return;
    };
    assert_eq!(output.status.code(), Some(66), "{}", said(&output.stderr));
    let source = fs::read_to_string(directory.join(file)).expect("it can be read");
    let marked = source.lines().position(|line| line.contains("//~ race")).expect("it is marked");
    assert_eq!(findings.len(), 1, "{findings:?}");
    for access in ["first", "second"] {
        let place = &findings[0][access]["place"];
        assert_eq!(place["line"].as_u64(), Some(marked as u64 + 1), "{findings:?}");
        assert!(place["file"].as_str().is_some_and(|it| it.ends_with(file)), "{findings:?}");
    }
}

/// The two variants, and what the compiler is called with for them.
const VARIANTS: [(&str, &str); 2] = [("racy", "-O2 -DRACY"), ("clean", "-O2")];

#[test]
fn make_builds_with_rosser() {
    for (variant, flags) in VARIANTS {
        let directory = project("make", variant);
        // The variable is passed on to the compiler, who must not take itself for the system's.
        shell(&format!("CC='rosser cc' CFLAGS='{flags}' make -e"), &directory);
        let plain = shell("./program", &directory);
        assert_eq!(plain, "121\n", "it runs without being checked, too");
        check(&directory, "./program", (variant == "racy").then_some("sum.c"));
    }
}

#[test]
fn configure_is_satisfied_with_rosser() {
    for (variant, flags) in VARIANTS {
        for (how, script) in [
            ("command", format!("export CC='rosser cc' CFLAGS='{flags}'; ./configure && make")),
            (
                "launcher",
                format!("eval \"$(rosser show-env)\"; CFLAGS='{flags}' ./configure && make"),
            ),
        ] {
            let directory = project("configure", &format!("{variant}-{how}"));
            shell(&script, &directory);
            check(&directory, "./program", (variant == "racy").then_some("program.c"));
        }
    }
}

#[test]
fn cmake_builds_with_rosser() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: there is no CMake");
        return;
    }
    if Command::new("c++").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: there is no C++ compiler `c++`");
        return;
    }
    let on = |variant| if variant == "racy" { "ON" } else { "OFF" };
    for (variant, how) in [
        ("racy", "eval \"$(rosser show-env)\"; cmake"),
        ("clean", "eval \"$(rosser show-env)\"; cmake -DCMAKE_BUILD_TYPE=Release"),
        // As users who know nothing of paths would say it.
        ("racy", "CC='rosser cc' CXX='rosser c++' cmake -DCMAKE_BUILD_TYPE=Debug"),
    ] {
        let directory = project("cmake", &format!("{variant}-{}", how.len()));
        let script = format!("{how} -DRACY={} -B build . && cmake --build build", on(variant));
        shell(&script, &directory);
        check(&directory, "build/program", (variant == "racy").then_some("count.c"));
    }
}

#[test]
fn questions_get_the_compilers_own_answers() {
    let directory = project("make", "questions");
    for question in ["--version", "-dumpmachine", "-print-search-dirs", "-E -dM -xc /dev/null"] {
        let [ours, theirs] =
            ["rosser cc", "cc"].map(|cc| shell(&format!("{cc} {question}"), &directory));
        assert_eq!(ours, theirs, "{question}");
    }
    // Nothing is added if there is nothing to compile or to link.
    let output = command(ROSSER, &directory).args(["cc", "-v"]).output().expect("it starts");
    assert!(!said(&output.stderr).contains("rosser_checked"), "{}", said(&output.stderr));
}

#[test]
fn unusual_calls_work() {
    let directory = project("make", "unusual");
    for (script, output) in [
        // Several sources at once, one of them assembler.
        ("rosser cc main.c sum.c start.S -o all && ./all", "121\n"),
        (
            "rosser cc -c main.c sum.c start.S && rosser cc main.o sum.o start.o -o all && ./all",
            "121\n",
        ),
        (
            "echo '-O1 main.c sum.c \"start.S\" -o file' > arguments; rosser cc @arguments && ./file",
            "121\n",
        ),
        ("rosser cc -x c - -o stdin <<E && ./stdin\nint main(void) { return 0; }\nE", ""),
        // By way of assembler, and of a partial link.
        (
            "rosser cc -S sum.c && rosser cc -c sum.s && rosser cc -r sum.o start.o -o both.o && \
          rosser cc main.c both.o -o parts && ./parts",
            "121\n",
        ),
        // A library that is loaded while the program runs.
        (
            "rosser cc -shared -fPIC sum.c -o libsum.so && cat > load.c <<E && rosser cc load.c -o load && ./load\n\
          #include <dlfcn.h>\nint main(void) { return !dlopen(\"./libsum.so\", RTLD_NOW); }\nE",
            "",
        ),
    ] {
        assert_eq!(shell(script, &directory), output, "{script}");
    }
}

#[test]
fn a_compiler_that_calls_us_is_told_so() {
    let directory = project("make", "loop");
    shell("printf '#!/bin/sh\\nexec rosser cc \"$@\"\\n' > mine; chmod +x mine", &directory);
    let mut run = command(ROSSER, &directory);
    let output = run.env("CC", "./mine").args(["cc", "-c", "sum.c"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let expected = "the compiler that Rosser calls has called Rosser";
    assert!(said(&output.stderr).contains(expected), "{}", said(&output.stderr));
}

#[test]
fn the_compiler_can_be_named() {
    let directory = project("make", "named");
    shell(
        "printf '#!/bin/sh\\necho called >> log\\nexec cc \"$@\"\\n' > mine; chmod +x mine",
        &directory,
    );
    shell("CC='rosser cc' ROSSER_CC='./mine -DX' rosser cc -c sum.c", &directory);
    shell("CC='./mine -DX' rosser cc -c sum.c; test -s log", &directory);
}
