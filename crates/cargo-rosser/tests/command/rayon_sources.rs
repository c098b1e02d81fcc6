//! Wherever a project has rayon from, its scheduler is replaced: another version, vendored sources, a copy of its own.

use std::process::Command;

use crate::project::{Outcome, Project, manifest};

const RACY: &str = "\
use rayon::prelude::*;

static mut TOTAL: u64 = 0;

fn main() {
    rayon::join(|| unsafe { TOTAL += 1 }, || unsafe { TOTAL += 2 });
    let doubled: Vec<u32> = (0..10_u32).into_par_iter().map(|i| 2 * i).collect();
    assert_eq!(doubled[9], 18);
    // Neighbours in a leaf, in one or in the other.
    (0..100_u32).into_par_iter().for_each(|i| {
        if i / 2 == 21 { unsafe { TOTAL += 1 } }
    });
}
";

/// A race in a join, and one of two items. The two lines of each are one.
fn is_found(outcome: &Outcome) {
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--> src/main.rs:6:"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--> src/main.rs:11:"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("verdict: 2 data races"), "{}", outcome.stderr);
}

fn project(dependencies: &str) -> Project {
    let manifest = manifest("app", &format!("[dependencies]\n{dependencies}\n[workspace]"));
    Project::new(&[("Cargo.toml", &manifest), ("src/main.rs", RACY)])
}

#[test]
fn old_and_new_versions() {
    for (rayon, core) in [("1.5.3", "1.9.3"), ("1.7.0", "1.11.0"), ("1.12.0", "1.13.0")] {
        let dependencies = format!("rayon = \"={rayon}\"\nrayon-core = \"={core}\"");
        let outcome = project(&dependencies).rosser("run");
        is_found(&outcome);
        assert!(
            outcome.stderr.contains("item 42 of the parallel `for_each`"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn vendored_sources_and_a_member_of_the_workspace() {
    let project = project("rayon = \"=1.12.0\"");
    let vendor = Command::new(env!("CARGO"))
        .args(["vendor", "--quiet"])
        .current_dir(project.path("."))
        .output()
        .expect("cargo starts");
    assert!(vendor.status.success(), "{}", String::from_utf8_lossy(&vendor.stderr));
    let vendored = "[source.crates-io]\nreplace-with = \"vendored\"\n\
                    [source.vendored]\ndirectory = \"vendor\"\n";
    project.write(".cargo/config.toml", vendored);
    is_found(&project.rosser("run --offline"));

    // A copy of the project's own, compiled with the lints that the workspace has for all its members. What it needs
    // for its own tests was not vendored.
    project.write(".cargo/config.toml", "");
    let more = "members = [\"vendor/rayon-core\"]\n\
                [workspace.lints.rust]\nunreachable_pub = \"deny\"\nunsafe_code = \"forbid\"\n\
                [patch.crates-io]\nrayon-core = { path = \"vendor/rayon-core\" }\n";
    project.write("Cargo.toml", &(project.read("Cargo.toml") + more));
    let core = project.read("vendor/rayon-core/Cargo.toml");
    project.write("vendor/rayon-core/Cargo.toml", &(core + "\n[lints]\nworkspace = true\n"));
    is_found(&project.rosser("run"));
}
