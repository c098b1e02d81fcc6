//! The programs under `tests/c`, and those in the README, are compiled and run as a user would.
//!
//! In `race/` and `clean/` they have to end with 0, whatever the schedule; the marks say what there is to be
//! found in them, to which production is blind. In `errors/` they have to end with a message and
//! SIGABRT.

#![cfg(unix)]

mod compiler;
mod program;
mod run;

use std::fs;
use std::path::{Path, PathBuf};

use self::compiler::{Language, compile};
use self::program::Program;

/// The package.
fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a directory, by name.
fn files(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(package().join("tests/c").join(directory));
    let entries = entries.expect("the directory can be read");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the entry can be read").path()).collect();
    files.sort();
    files
}

/// Checks all programs of a directory, as many as there are, and tells what is wrong with any.
fn check(directory: &str, ends: impl Fn(&Program, &run::Ended) -> Result<(), String>) {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for source in files(directory) {
        let program = Program::read(&source);
        let Some(binary) = compile(&source, program.language) else { continue };
        checked += 1;
        for _ in 0..3 {
            let ended = run::run(&binary);
            if let Err(what) = ends(&program, &ended) {
                wrong.push(format!("{directory}/{}: {what}\n{ended}", program.file));
                break;
            }
        }
    }
    assert!(checked > 10, "only {checked} programs in {directory}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn racy_programs_end() {
    check("race", |program, ended| {
        if program.findings == 0 {
            return Err("no line is marked".to_owned());
        }
        ended.well()
    });
}

#[test]
fn clean_programs_end() {
    check("clean", |program, ended| {
        if program.findings > 0 {
            return Err("a line is marked".to_owned());
        }
        ended.well()
    });
}

#[test]
fn errors_are_told() {
    check("errors", |program, ended| {
        ended.aborted()?;
        program.expected.iter().try_for_each(|text| ended.says(text))
    });
}

#[test]
fn what_the_readme_shows_works() {
    let readme = fs::read_to_string(package().join("README.md")).expect("the README can be read");
    let directory = compiler::output().join("readme");
    fs::create_dir_all(&directory).expect("the directory can be made");
    let mut shown = 0;
    for (fence, language) in [("```c\n", Language::C), ("```cpp\n", Language::Cpp)] {
        for (index, block) in readme.split(fence).skip(1).enumerate() {
            let (code, _) = block.split_once("```").expect("blocks end");
            let source = directory.join(format!("{index}.{}", language.extension()));
            fs::write(&source, code).expect("the program can be written");
            shown += 1;
            let Some(binary) = compile(&source, language) else { continue };
            run::run(&binary).well().unwrap_or_else(|what| panic!("{}: {what}", source.display()));
        }
    }
    assert_eq!(shown, 2, "one for each language");
}
