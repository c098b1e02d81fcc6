//! Every path that ARCHITECTURE.md and CONTRIBUTING.md name leads somewhere.

use std::path::{Path, PathBuf};

use super::{code_spans, read, root};

/// Where paths may begin, besides the directories of the path before.
const STARTS: [&str; 7] = [
    "",
    "crates",
    "shims",
    "crates/cargo-rosser",
    "crates/cargo-rosser/sources/workspace",
    "crates/rosser-c/tests/c",
    "ui",
];

/// Whether it is meant as a path.
fn is_path(span: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-{},".contains(&byte);
    let is_file = [".rs", ".md", ".toml"].iter().any(|end| span.ends_with(end));
    (span.contains('/') || is_file) && span.bytes().all(is_plain)
        // A build's directory, and what a recipe says is to be written.
        && !span.starts_with("target/")
        && !span.contains("my_")
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expanded(span: &str) -> Vec<String> {
    let Some((before, rest)) = span.split_once('{') else { return vec![span.to_owned()] };
    let (alternatives, after) = rest.split_once('}').expect("braces come in pairs");
    alternatives.split(',').flat_map(|it| expanded(&format!("{before}{it}{after}"))).collect()
}

/// The path, from one of the starts or from a directory around the path before.
fn found(path: &str, before: Option<&Path>) -> Option<PathBuf> {
    let around = before.into_iter().flat_map(Path::ancestors).map(|it| root().join(it));
    let starts = STARTS.iter().map(|start| root().join(start));
    around.chain(starts).map(|start| start.join(path)).find(|path| path.exists())
}

fn missing(document: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for paragraph in read(document).split('\n').flat_map(|line| line.split(" | ")) {
        let mut before: Option<PathBuf> = None;
        for span in code_spans(paragraph).into_iter().filter(|span| is_path(span)) {
            for path in expanded(&span) {
                match found(&path, before.as_deref()) {
                    Some(path) => before = Some(path),
                    None => missing.push(path),
                }
            }
        }
    }
    missing
}

#[test]
fn every_path_in_the_architecture_exists() {
    assert_eq!(missing("ARCHITECTURE.md"), [""; 0]);
}

#[test]
fn every_path_in_the_recipes_exists() {
    assert_eq!(missing("CONTRIBUTING.md"), [""; 0]);
}

#[test]
fn a_path_that_leads_nowhere_is_noticed() {
    assert!(is_path("rosser-detect/src/none.rs") && is_path("stage.rs"));
    assert_eq!(found("rosser-detect/src/none.rs", None), None);
    let before = root().join("crates/rosser-report/src/report.rs");
    assert!(found("sarif.rs", Some(&before)).is_some() && found("sarif.rs", None).is_none());
    assert_eq!(expanded("a/{b,c}/d.rs"), ["a/b/d.rs", "a/c/d.rs"]);
}
