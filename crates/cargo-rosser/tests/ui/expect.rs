//! What a program's source says is to be found in it.
//!
//! Marks stand at the ends of lines: `//~ race 1` on the two places of the first data race (on one
//! line if both places are there), `//~ order 1` likewise for what is order-dependent, several of
//! them separated by commas. Header lines begin with `//@`; `//@ whole` says nothing but that the program
//! goes the whole way through the command, as those with any other header do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A class and the two lines, the smaller first.
pub type Found = BTreeSet<(&'static str, u32, u32)>;

/// Something that a report says besides its findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// That threads were not checked.
    Threads,
    /// That the items of a bridge were not checked against each other.
    Bridge,
    /// Of some access, that it may have been made further on.
    Inexact,
}

/// A program and what is expected of it.
#[derive(Clone, Debug)]
pub struct Program {
    /// The binary.
    pub name: String,
    /// Its source, relative to the package.
    pub file: String,
    /// The findings.
    pub found: Found,
    /// The exit code of the command.
    pub exit: i32,
    /// What became of the run: the state and its detail.
    pub state: (&'static str, Option<u64>),
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// What the report has to say besides.
    pub notes: Vec<Note>,
    /// Whether it goes the whole way through the command.
    pub whole: bool,
}

/// All programs under the three directories, by name.
pub fn programs(package: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for directory in ["race", "clean", "limits"] {
        let entries = fs::read_dir(package.join(directory)).expect("the directory can be read");
        let mut files: Vec<PathBuf> =
            entries.map(|entry| entry.expect("the entry can be read").path()).collect();
        files.sort();
        for path in files {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain");
            let source = fs::read_to_string(&path).expect("the program can be read");
            let name = format!("{directory}-{}", stem.replace('_', "-"));
            programs.push(Program::parse(name, format!("{directory}/{stem}.rs"), &source));
        }
    }
    programs
}

impl Program {
    /// Whether its report has to say something.
    pub fn has(&self, note: Note) -> bool {
        self.notes.contains(&note)
    }

    fn parse(name: String, file: String, source: &str) -> Self {
        let found = marks(source).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut exit = None;
        let mut state = ("ended", None);
        let mut arguments = Vec::new();
        let mut notes = Vec::new();
        let mut whole = false;
        for header in source.lines().filter_map(|line| line.strip_prefix("//@ ")) {
            whole = true;
            let (key, value) = header.split_once(": ").unwrap_or((header, ""));
            match (key, value) {
                ("exit", code) => exit = Some(number(code, &file)),
                ("stopped", "blocked") => state = ("stopped-blocked", None),
                ("stopped", "spinning") => state = ("stopped-spinning", None),
                ("killed", "") => state = ("running", None),
                ("signal", signal) => state = ("signalled", Some(number(signal, &file))),
                ("args", words) => arguments.extend(words.split(' ').map(str::to_owned)),
                ("threads-note", "") => notes.push(Note::Threads),
                ("bridge-note", "") => notes.push(Note::Bridge),
                ("inexact", "") => notes.push(Note::Inexact),
                ("whole", "") => {}
                _ => panic!("{file}: the header `{header}` is not understood"),
            }
        }
        let race = found.iter().any(|(class, ..)| *class == "data-race");
        let exit = exit.unwrap_or_else(|| implied_exit(race, state));
        Self { name, file, found, exit, state, arguments, notes, whole }
    }
}

/// The exit code of a program that does not name one.
fn implied_exit(race: bool, state: (&str, Option<u64>)) -> i32 {
    match state {
        _ if race => 66,
        ("signalled", Some(signal)) => 128 + i32::try_from(signal).expect("signals are small"),
        ("ended", _) => 0,
        _ => 3,
    }
}

fn number<T: std::str::FromStr>(text: &str, file: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{file}: `{text}` is not a number"))
}

/// The findings that the marks of a source tell.
fn marks(source: &str) -> Result<Found, String> {
    let mut lines: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (line, text) in (1..).zip(source.lines()) {
        let Some((_, marks)) = text.split_once("//~ ") else { continue };
        for mark in marks.split(", ") {
            lines.entry(mark).or_default().push(line);
        }
    }
    let mut found = Found::new();
    for (mark, lines) in lines {
        let class = match mark.split_once(' ') {
            Some(("race", _)) => "data-race",
            Some(("order", _)) => "order-dependent",
            _ => return Err(format!("the mark `{mark}` is not understood")),
        };
        let pair = match lines[..] {
            [line] => (class, line, line),
            [first, second] => (class, first, second),
            _ => return Err(format!("the mark `{mark}` stands on {} lines", lines.len())),
        };
        if !found.insert(pair) {
            return Err(format!("the mark `{mark}` repeats another"));
        }
    }
    Ok(found)
}

#[test]
fn marks_are_pairs_of_lines() {
    let source = "a //~ race 1\nb //~ race 2, order 1\nc //~ race 1\n";
    let expected = [("data-race", 1, 3), ("data-race", 2, 2), ("order-dependent", 2, 2)];
    assert_eq!(marks(source), Ok(Found::from(expected)));
    assert!(marks("a //~ rave 1").is_err());
    assert!(marks("//~ race 1\n//~ race 1\n//~ race 1").is_err());
    assert!(marks("//~ race 1, race 2").is_err());
}

#[test]
fn headers_say_how_a_run_ends() {
    let program = |source| Program::parse("name".to_owned(), "file".to_owned(), source);
    assert_eq!(program("").exit, 0);
    assert_eq!(program("x //~ order 1").exit, 0);
    assert_eq!(program("x //~ race 1").exit, 66);
    assert_eq!(program("//@ exit: 5").exit, 5);
    let stopped = program("//@ stopped: spinning");
    assert_eq!((stopped.exit, stopped.state), (3, ("stopped-spinning", None)));
    let killed = program("//@ signal: 6");
    assert_eq!((killed.exit, killed.state), (134, ("signalled", Some(6))));
    let both = program("//@ args: a b\n//@ threads-note");
    assert_eq!(both.notes, [Note::Threads]);
    assert!(both.whole && !program("").whole);
    assert_eq!(both.arguments, ["a", "b"]);
}
