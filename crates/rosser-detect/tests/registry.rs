//! The registry is the only list of detectors, and what is written about them has them all.

use std::fs;
use std::path::{Path, PathBuf};

use rosser_detect::{Construct, Detail, DetectorKind, registry};

/// Those that a program may be told to be judged by, besides the default.
fn others() -> impl Iterator<Item = DetectorKind> {
    DetectorKind::in_programs().filter(|kind| *kind != DetectorKind::Auto)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The detectors that the code of a file mentions, by name or by type, tests and comments aside.
fn mentioned(text: &str) -> Vec<DetectorKind> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has = |kind: &DetectorKind| {
        let (name, variant) = (format!("\"{}\"", kind.name()), format!("{kind:?}"));
        code.contains(&name) || code.split(|c| !is_word(c)).any(|word| word == variant)
    };
    others().filter(has).collect()
}

#[test]
fn no_other_file_lists_detectors() {
    let mut files = Vec::new();
    for package in fs::read_dir(root().join("crates")).expect("it can be read") {
        let directory = package.expect("it can be read").path().join("src");
        if directory.is_dir() {
            sources(&directory, &mut files);
        }
    }
    assert!(files.len() > 200, "only {} files", files.len());
    let mut lists: Vec<_> = files
        .iter()
        .filter(|file| !file.ends_with("tests.rs"))
        .filter(|file| mentioned(&fs::read_to_string(file).expect("it is text")).len() > 1)
        .filter_map(|file| file.strip_prefix(root().join("crates")).ok())
        .collect();
    lists.sort();
    // The first one lists papers, and what they have published.
    let expected = ["rosser-bench/src/programs/program.rs", "rosser-detect/src/registry.rs"];
    assert_eq!(lists, expected.map(Path::new));
}

#[test]
fn a_list_elsewhere_would_be_noticed() {
    assert_eq!(mentioned("// EspBags, Drdp\nlet one = DetectorKind::EspBags;").len(), 1);
    assert_eq!(mentioned("match name { \"esp-bags\" => 1, \"drdp\" => 2 }").len(), 2);
    assert_eq!(mentioned("use papers::{Drdp, SpBags};").len(), 2);
}

#[test]
fn each_is_found_by_its_name_and_by_its_number() {
    for kind in DetectorKind::ALL {
        assert_eq!(DetectorKind::named(kind.name()), Some(kind));
        assert_eq!(DetectorKind::numbered(kind.number()), Some(kind));
    }
    for construct in Construct::ALL.into_iter().filter(|construct| construct.number() > 0) {
        assert_eq!(Construct::numbered(construct.number()), Some(construct));
    }
    assert_eq!(Construct::numbered(0), None);
}

#[test]
fn those_of_papers_are_what_they_are_called() {
    for kind in DetectorKind::ALL {
        let built = registry::build(kind, Detail::Conflicts);
        let is_of_a_paper = DetectorKind::of_papers().any(|other| other == kind);
        assert_eq!(built.map(|detector| detector.kind()), is_of_a_paper.then_some(kind));
    }
}

#[test]
fn messages_say_who_admits_what() {
    let says = |construct| {
        let mut text = String::new();
        DetectorKind::say_who_admits(construct, |part| text.push_str(part));
        text
    };
    assert_eq!(says(Construct::OuterScope), "auto does");
    assert_eq!(says(Construct::Isolated), "esp-bags and auto do");
    assert!(says(Construct::Async).starts_with("esp-bags, drdp"));
}

/// `docs/detectors.md` has a line for each detector, and says of each construct who admits it.
#[test]
fn the_page_has_them_all() {
    let page = fs::read_to_string(root().join("docs/detectors.md")).expect("it is there");
    for kind in others() {
        let line = format!("| `{}` | {} |", kind.name(), kind.source());
        assert!(page.contains(&line), "there is no line that begins with {line}");
    }
    for construct in Construct::ALL.into_iter().filter(|construct| construct.number() > 0) {
        let able = DetectorKind::in_programs().filter(|kind| kind.admits(construct));
        let mut able: Vec<_> = able.map(|kind| format!("`{}`", kind.name())).collect();
        // The default is named last.
        able.rotate_left(1);
        let line = format!("| {} | {} |", construct.in_programs(), able.join(", "));
        assert!(page.contains(&line), "there is no line {line}");
    }
}
