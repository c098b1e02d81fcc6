//! What the source of a program says about it.
//!
//! Marks stand at the ends of lines: `//~ race 1` on the two places of a data race (on one line if both
//! places are there), `//~ order 1` likewise for what is order-dependent, several of them separated by
//! commas; in `errors/`, `//~ named` on lines that the message has to name. Headers are lines that
//! begin with `//@`: `//@ says: text` is part of the message, `//@ threads-note` tells that
//! there are threads that cannot be checked.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::compiler::Language;

#[derive(Debug)]
pub struct Program {
    /// The name of its file.
    pub file: String,
    pub language: Language,
    /// How many there are to be found by a detector.
    pub findings: usize,
    /// What the message has to contain.
    pub expected: Vec<String>,
}

impl Program {
    pub fn read(path: &Path) -> Self {
        let source = fs::read_to_string(path).expect("the program can be read");
        let file = path.file_name().and_then(|name| name.to_str()).expect("names are plain");
        Self::parse(file, Language::of(path), &source)
    }

    fn parse(file: &str, language: Language, source: &str) -> Self {
        let mut findings: BTreeMap<&str, usize> = BTreeMap::new();
        let mut expected = Vec::new();
        for (line, text) in (1..).zip(source.lines()) {
            match text
                .strip_prefix("//@ ")
                .map(|header| header.split_once(": ").unwrap_or((header, "")))
            {
                Some(("says", text)) => expected.push(text.to_owned()),
                None | Some(("threads-note", "")) => {}
                Some(_) => panic!("{file}: the header `{text}` is not understood"),
            }
            let Some((_, marks)) = text.split_once("//~ ") else { continue };
            for mark in marks.split(", ") {
                match mark.split_once(' ') {
                    None if mark == "named" => expected.push(format!("{file}:{line}")),
                    Some(("race" | "order", _)) => *findings.entry(mark).or_default() += 1,
                    _ => panic!("{file}: the mark `{mark}` is not understood"),
                }
            }
        }
        assert!(findings.values().all(|&lines| lines <= 2), "{file}: a finding has two places");
        Self { file: file.to_owned(), language, findings: findings.len(), expected }
    }
}

#[test]
fn sources_say_what_is_expected() {
    let source =
        "//@ says: deadlock\na //~ race 1, race 2\nb //~ race 1\nc //~ order 1\nd //~ named";
    let program = Program::parse("x.c", Language::C, source);
    assert_eq!(program.findings, 3);
    assert_eq!(program.expected, ["deadlock", "x.c:5"]);
}
