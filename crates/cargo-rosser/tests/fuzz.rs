//! The packages under `fuzz/`: random programs as `cargo rosser` runs them, held against what is known of them.
//!
//! Most are built as users do who give no flags, and some with `--quick` and with `--release`.
//!
//! More of them: `cargo rosser run --release --manifest-path fuzz/Cargo.toml -- --cases 100000`.

#[path = "ui/build.rs"]
mod build;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use build::Build;
use serde_json::{Map, Value};

/// A program that a wrong answer was once given of. How it is run depends on the case that it was.
const DEADLOCK_IS_TOLD: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/programs/deadlock_is_told.tp3");

/// A package, and how it is built.
struct Package {
    directory: &'static str,
    build: Build,
    workers: &'static str,
    detector: &'static str,
}

impl Package {
    /// `cargo rosser` in the package.
    fn rosser(&self, subcommand: &str) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
        command.current_dir(root.join(self.directory));
        command.args(["rosser", subcommand, "--workers", self.workers, "--locked"]);
        command.args(self.build.flags()).args(["--detector", self.detector]);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.directory.replace('/', "-"));
        command.arg("--target-dir").arg(target);
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR", "ROSSER_MODE"]
        {
            command.env_remove(variable);
        }
        command
    }

    /// The environment in which the command would run the program: it would end with the code for races, of
    /// which there are many.
    fn environment(&self) -> Map<String, Value> {
        let output = succeeds(self.rosser("show-env").arg("--json"));
        serde_json::from_slice(&output.stdout).expect("it is an object")
    }

    /// Builds it and runs a program of it with all these arguments, one after the other. What each printed must
    /// begin with what comes with it.
    fn prints(&self, program: &str, runs: &[(&[&str], &str)]) {
        succeeds(&mut self.rosser("build"));
        let environment = self.environment();
        let value = |name: &str| environment[name].as_str().expect("a string");
        let target = PathBuf::from(value("CARGO_TARGET_DIR")).join(value("CARGO_BUILD_TARGET"));
        for (arguments, expected) in runs {
            let directory = tempfile::tempdir().expect("there is a temporary directory");
            let mut command = Command::new(target.join(self.build.directory()).join(program));
            command.args(*arguments);
            for (name, value) in &environment {
                command.env(name, value.as_str().expect("a string"));
            }
            let output = succeeds(command.env("ROSSER_RUN_DIR", directory.path()));
            let printed = String::from_utf8_lossy(&output.stdout);
            let (build, workers) = (self.build.name(), self.workers);
            assert!(printed.starts_with(expected), "{build}, workers: {workers}: {printed}");
        }
    }
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{:?}:\n{printed}\n{said}", output.status);
    output
}

/// Random programs with the library's tasks.
fn tasks(build: Build, workers: &'static str, runs: &[(&[&str], &str)]) {
    Package { directory: "fuzz", build, workers, detector: "auto" }.prints("task-fuzz", runs);
}

/// Loops, on one worker: two tasks at once would change what each other's loops compute.
fn loops(build: Build, detector: &'static str, runs: &[(&[&str], &str)]) {
    Package { directory: "fuzz/loops", build, workers: "1", detector }.prints("loop-fuzz", runs);
}

/// Random programs with rayon's tasks.
fn rayon(build: Build, workers: &'static str, runs: &[(&[&str], &str)]) {
    Package { directory: "fuzz/rayon", build, workers, detector: "auto" }
        .prints("rayon-fuzz", runs);
}

#[test]
fn random_programs_give_what_the_oracle_says() {
    tasks(
        Build::Default,
        "1",
        &[
            (&["--seed", "1", "--size", "32", "--cases", "6000"], "6000 programs agree, 0 skipped"),
            (
                &["--seed", "2", "--size", "100", "--cases", "1500"],
                "1500 programs agree, 0 skipped",
            ),
            (&["--seed", "3", "--size", "400", "--cases", "150"], "150 programs agree, 0 skipped"),
            (
                &[
                    "--program",
                    DEADLOCK_IS_TOLD,
                    "--seed",
                    "106",
                    "--first",
                    "99643",
                    "--cases",
                    "1",
                ],
                "1 programs agree, 0 skipped",
            ),
        ],
    );
    let some: &[(&[&str], &str)] =
        &[(&["--seed", "4", "--size", "32", "--cases", "1000"], "1000 programs agree, 0 skipped")];
    tasks(Build::Quick, "1", some);
    tasks(Build::Release, "1", some);
}

#[test]
fn of_loops_exactly_what_they_access_is_checked() {
    loops(
        Build::Default,
        "auto",
        &[
            (&["--seed", "1", "--rounds", "100"], "25400 loops are checked exactly"),
            (&["--seed", "2", "--rounds", "100"], "25400 loops are checked exactly"),
        ],
    );
    let some: &[(&[&str], &str)] =
        &[(&["--seed", "3", "--rounds", "20"], "5080 loops are checked exactly")];
    loops(Build::Quick, "auto", some);
    loops(Build::Release, "auto", some);
    // The runtime for several workers, of which there is one.
    loops(Build::Default, "sf-order", some);
}

#[test]
fn random_programs_of_rayon_give_what_the_oracle_says() {
    rayon(
        Build::Default,
        "1",
        &[
            (&["--seed", "1", "--cases", "6000"], "6000 programs agree"),
            (&["--seed", "6", "--cases", "2000"], "2000 programs agree"),
        ],
    );
    let some: &[(&[&str], &str)] = &[(&["--seed", "7", "--cases", "1000"], "1000 programs agree")];
    rayon(Build::Quick, "1", some);
    rayon(Build::Release, "1", some);
}

#[test]
fn they_do_so_on_several_workers() {
    rayon(
        Build::Default,
        "2",
        &[
            (&["--seed", "1", "--cases", "10000"], "10000 programs agree"),
            (&["--seed", "2", "--size", "80", "--cases", "1000"], "1000 programs agree"),
        ],
    );
    tasks(
        Build::Default,
        "2",
        &[(&["--structured", "--seed", "1", "--cases", "3000"], "2979 programs agree, 21 skipped")],
    );
    rayon(Build::Release, "2", &[(&["--seed", "3", "--cases", "1000"], "1000 programs agree")]);
}
