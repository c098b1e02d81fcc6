//! What users see is documented: directories of programs, formats, exit codes.

use std::fs;

use cargo_rosser::exit;
use cargo_rosser::settings::{Kind, SETTINGS};

use super::{read, root, rows};

/// Directories with programs that are checked in tests, and what the directories in them are called.
const PROGRAMS: [(&str, &str); 3] = [
    ("ui", "ui"),
    ("examples/tasks", "examples/tasks"),
    ("crates/rosser-c/tests/c", "rosser-c/tests/c"),
];

#[test]
fn every_directory_of_programs_is_documented() {
    let text = read("CONTRIBUTING.md");
    for (path, name) in PROGRAMS {
        assert!(text.contains(&format!("`{name}")), "{name}");
        for entry in fs::read_dir(root().join(path)).unwrap().map(Result::unwrap) {
            let directory = entry.file_name().into_string().unwrap();
            if entry.path().is_dir() && directory != "target" {
                assert!(text.contains(&format!("`{directory}/`")), "{path}/{directory}");
            }
        }
    }
}

#[test]
fn every_example_is_documented() {
    let text = read("ARCHITECTURE.md") + &read("README.md") + &read("docs/performance.md");
    for entry in fs::read_dir(root().join("examples")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let named = [format!("examples/{name}"), format!("{name},"), format!(",{name}")];
        assert!(named.iter().any(|it| text.contains(it)), "examples/{name}");
    }
}

#[test]
fn every_format_is_documented() {
    let setting = SETTINGS.iter().find(|setting| setting.name == "format").unwrap();
    let readme = read("README.md");
    let formats = readme.lines().find(|line| line.starts_with("Formats:")).unwrap().to_lowercase();
    let Kind::Choice(values) = setting.kind else { panic!("{setting:?}") };
    assert!(values.len() >= 4, "{values:?}");
    for value in values {
        assert!(formats.contains(value), "{value} in `{formats}`");
    }
}

#[test]
fn every_exit_code_is_documented() {
    let readme = read("README.md");
    let table = rows(&readme, "### What it says");
    for code in [
        exit::CLEAN,
        exit::USAGE,
        exit::STOPPED,
        exit::NOT_CHECKED,
        exit::INCOMPLETE,
        exit::RACE,
        exit::CARGO,
    ] {
        let code = code.to_string();
        let is_it = |row: &Vec<&str>| row[0].split([' ', ',']).next() == Some(&*code);
        assert_eq!(table.iter().filter(|row| is_it(row)).count(), 1, "{code}");
        assert!(exit::HELP.contains(&format!("\n  {code} ")), "{code}");
    }
    let model = read("docs/model.md");
    let table = rows(&model, "## explore, graph, fuzz");
    for code in
        [exit::CLEAN, exit::FAILED, exit::USAGE, exit::STOPPED, exit::INCOMPLETE, exit::RACE]
    {
        assert_eq!(table.iter().filter(|row| row[0] == code.to_string()).count(), 1, "{code}");
    }
}
