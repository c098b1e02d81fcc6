//! The packages under `fuzz/`: random programs as `cargo rosser` runs them, held against what is known of them.
//!
//! More of them: `cargo rosser run --release --manifest-path fuzz/Cargo.toml -- --cases 100000`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value};

/// A package, and how it is built.
struct Package {
    directory: &'static str,
    mode: &'static str,
    workers: &'static str,
}

impl Package {
    /// `cargo rosser` in the package.
    fn rosser(&self, subcommand: &str) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
        command.current_dir(root.join(self.directory));
        command.args(["rosser", subcommand, self.mode, "--workers", self.workers, "--locked"]);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.directory.replace('/', "-"));
        command.arg("--target-dir").arg(target);
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"] {
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
            let mut command = Command::new(target.join("debug").join(program));
            command.args(*arguments);
            for (name, value) in &environment {
                command.env(name, value.as_str().expect("a string"));
            }
            let output = succeeds(command.env("ROSSER_RUN_DIR", directory.path()));
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(printed.starts_with(expected), "{printed}");
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

#[test]
fn random_programs_give_what_the_oracle_says() {
    let package = Package { directory: "fuzz", mode: "--quick", workers: "1" };
    package.prints(
        "task-fuzz",
        &[
            (&["--seed", "1", "--size", "32", "--cases", "6000"], "6000 programs agree, 0 skipped"),
            (
                &["--seed", "2", "--size", "100", "--cases", "1500"],
                "1500 programs agree, 0 skipped",
            ),
            (&["--seed", "3", "--size", "400", "--cases", "150"], "150 programs agree, 0 skipped"),
        ],
    );
}

#[test]
fn of_loops_exactly_what_they_access_is_checked() {
    let package = Package { directory: "fuzz/loops", mode: "--fast", workers: "1" };
    package.prints(
        "loop-fuzz",
        &[
            (&["--seed", "1", "--rounds", "100"], "25400 loops are checked exactly"),
            (&["--seed", "2", "--rounds", "100"], "25400 loops are checked exactly"),
        ],
    );
}

#[test]
fn random_programs_of_rayon_give_what_the_oracle_says() {
    let package = Package { directory: "fuzz/rayon", mode: "--quick", workers: "1" };
    package.prints(
        "rayon-fuzz",
        &[
            (&["--seed", "1", "--cases", "6000"], "6000 programs agree"),
            (&["--seed", "6", "--cases", "2000"], "2000 programs agree"),
        ],
    );
}

#[test]
fn they_do_so_on_several_workers() {
    let package = Package { directory: "fuzz/rayon", mode: "--quick", workers: "2" };
    package.prints(
        "rayon-fuzz",
        &[
            (&["--seed", "1", "--cases", "10000"], "10000 programs agree"),
            (&["--seed", "2", "--size", "80", "--cases", "1000"], "1000 programs agree"),
        ],
    );
    let package = Package { directory: "fuzz", mode: "--quick", workers: "2" };
    let arguments = &["--structured", "--seed", "1", "--cases", "3000"];
    package.prints("task-fuzz", &[(arguments, "2977 programs agree, 23 skipped")]);
}
