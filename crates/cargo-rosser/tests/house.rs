//! What ARCHITECTURE.md and the other documents say of the repository, held against the repository: crates and what
//! they depend on, `unsafe`, what executors call, paths, links, directories of programs, formats, exit codes, detectors.

#[path = "house/crates.rs"]
mod crates;
#[path = "house/documents.rs"]
mod documents;
#[path = "house/executor.rs"]
mod executor;
#[path = "house/interface.rs"]
mod interface;
#[path = "house/paths.rs"]
mod paths;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository is there")
}

/// A text of the repository.
fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of the tables in a text of Markdown, below the heading: the cells of each, without the table's head.
fn rows<'a>(text: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = text.split_once(&format!("\n{heading}\n")).expect("there is that heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with('|'));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect());
    let (mut rows, mut cells): (Vec<Vec<&str>>, _) = (Vec::new(), cells.peekable());
    while let Some(row) = cells.next() {
        let is_rule = |row: &Vec<&str>| row.iter().all(|cell| cell.bytes().all(|it| it == b'-'));
        if is_rule(&row) || cells.peek().is_some_and(is_rule) {
            continue;
        }
        rows.push(row);
    }
    assert!(!rows.is_empty(), "there is a table below {heading}");
    rows
}

/// What stands between backticks, outside of blocks of code.
fn code_spans(text: &str) -> Vec<String> {
    let mut spans = Vec::new();
    let mut is_block = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    for (index, part) in prose.split('`').enumerate() {
        if index % 2 == 1 {
            spans.push(part.replace('\n', " "));
        }
    }
    spans
}

/// All files below a directory.
fn walk(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
