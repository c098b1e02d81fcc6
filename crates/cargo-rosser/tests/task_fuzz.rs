//! Random programs, run with the library's tasks as `cargo rosser` runs them, held against the oracle of
//! the model language: the package `fuzz/`.
//!
//! More of them: `cargo rosser run --release --manifest-path fuzz/Cargo.toml -- --cases 100000`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value};

/// `cargo rosser` in the package.
fn rosser(subcommand: &str) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
    command.current_dir(root.join("fuzz")).args(["rosser", subcommand, "--quick", "--locked"]);
    command.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("task-fuzz"));
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"] {
        command.env_remove(variable);
    }
    command
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{:?}:\n{printed}\n{said}", output.status);
    output
}

/// The environment in which the command would run the program: it would end with the code for races, of
/// which there are many.
fn environment() -> Map<String, Value> {
    let output = succeeds(rosser("show-env").arg("--json"));
    serde_json::from_slice(&output.stdout).expect("it is an object")
}

#[test]
fn random_programs_give_what_the_oracle_says() {
    succeeds(&mut rosser("build"));
    let environment = environment();
    let value = |name: &str| environment[name].as_str().expect("a string");
    let target = PathBuf::from(value("CARGO_TARGET_DIR")).join(value("CARGO_BUILD_TARGET"));
    for (seed, size, cases) in [("1", "32", "6000"), ("2", "100", "1500"), ("3", "400", "150")] {
        let runs = tempfile::tempdir().expect("there is a temporary directory");
        let mut command = Command::new(target.join("debug/task-fuzz"));
        command.args(["--seed", seed, "--size", size, "--cases", cases]);
        for (name, value) in &environment {
            command.env(name, value.as_str().expect("a string"));
        }
        let output = succeeds(command.env("ROSSER_RUN_DIR", runs.path()));
        let printed = String::from_utf8_lossy(&output.stdout);
        let agree = format!("{cases} programs agree, 0 skipped");
        assert!(printed.starts_with(&agree), "{printed}");
    }
}
