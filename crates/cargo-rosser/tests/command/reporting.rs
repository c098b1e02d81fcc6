//! From a race to its report and the exit code.

use crate::project::{Project, manifest};

const RACE: &str = "\
struct Shared(*mut u64);
unsafe impl Sync for Shared {}
fn main() {
    let mut cell = Box::new(0u64);
    let shared = &Shared(&mut *cell);
    rayon::join(
        || unsafe { *shared.0 = 1 },
        || unsafe { *shared.0 = 2 },
    );
    std::process::exit(7)
}
";

fn race() -> Project {
    let dependencies = "[dependencies]\nrayon = \"1\"";
    Project::new(&[("Cargo.toml", &manifest("app", dependencies)), ("src/main.rs", RACE)])
}

#[test]
fn a_race_is_shown_and_decides_the_exit_code() {
    let project = race();
    let outcome = project.rosser("run --quick");
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    for text in ["error[data-race]", "src/main.rs:8", "verdict: 1 data race"] {
        assert!(outcome.stderr.contains(text), "{text} is missing in {}", outcome.stderr);
    }
    // Nobody looks: no colours.
    assert!(!outcome.stderr.contains('\x1b'), "{}", outcome.stderr);

    // The same run again, in other forms, without running anything.
    let again = project.rosser("report --color always");
    assert_eq!(again.code, Some(66));
    assert!(again.stderr.contains('\x1b') && again.stderr.contains("src/main.rs:8"));
    let json = project.rosser("report --format json");
    assert_eq!(json.code, Some(66));
    for line in json.stdout.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("every line is JSON");
    }
    let sarif = project.rosser("report --format sarif --output out.sarif");
    assert_eq!((sarif.code, &*sarif.stdout), (Some(66), ""));
    let sarif: serde_json::Value = serde_json::from_str(&project.read("out.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");

    // Known findings pass, and then the program's own code counts.
    let baseline = project.rosser("report --format baseline --output known");
    assert_eq!(baseline.code, Some(66));
    assert_eq!(project.rosser("run --quick --baseline known").code, Some(7));
    assert_eq!(project.rosser("run --quick --fail-on never").code, Some(7));
}

#[test]
fn a_race_in_a_doctest_is_shown() {
    let project = race();
    // In this edition rustdoc merges doctests into one program, unless it is told not to.
    let edition = project.read("Cargo.toml").replace("2021", "2024");
    project.write("Cargo.toml", &edition);
    let body = RACE.replace('\n', "\n//! ");
    project.write("src/lib.rs", &format!("//! ```\n//! {body}```\n"));
    let outcome = project.rosser("test --doc");
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("verdict: 1 data race"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("src/lib.rs:9"), "{}", outcome.stderr);
}
