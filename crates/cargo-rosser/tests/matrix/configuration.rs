//! The ways in which programs are built and run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rosser_abi::checks::{Kind, LEAVE_OUT};
use serde_json::Value;

use crate::case::Group;

/// Flags and variables for the command.
#[derive(Clone, Debug)]
pub struct Configuration {
    pub name: String,
    arguments: Vec<&'static str>,
    variables: Vec<(&'static str, &'static str)>,
    pub workers: u32,
}

impl Configuration {
    fn new(
        name: &str,
        arguments: &[&'static str],
        variables: &[(&'static str, &'static str)],
    ) -> Self {
        let (arguments, variables) = (arguments.to_vec(), variables.to_vec());
        Self { name: name.to_owned(), arguments, variables, workers: 1 }
    }

    /// The ones that are always tried: as most users have it first.
    pub fn core() -> Vec<Self> {
        let always = ["default", "release", "opt-level 1, 2 workers"];
        Self::all().into_iter().filter(|one| always.contains(&&*one.name)).collect()
    }

    /// All, on one worker and on two.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self::new("default", &[], &[]),
            Self::new("release", &["--release"], &[]),
            Self::new("quick", &["--quick"], &[]),
        ];
        for level in ["1", "2", "3"] {
            let name = format!("opt-level {level}");
            all.push(Self::new(&name, &["--fast"], &[("ROSSER_OPT_LEVEL", level)]));
        }
        let native = [("RUSTFLAGS", "-Ctarget-cpu=native")];
        all.push(Self::new("native", &[], &native));
        let on_two = all.iter().map(|one| Self {
            name: format!("{}, 2 workers", one.name),
            workers: 2,
            ..one.clone()
        });
        let on_two: Vec<Self> = on_two.collect();
        all.extend(on_two);
        all
    }

    /// As most users have it, but for one kind of checks.
    pub fn leaving_out(kind: Kind) -> Self {
        Self::new(kind.name(), &[], &[(LEAVE_OUT, kind.name())])
    }

    /// Builds the program of a group, runs it, and returns the report in JSON lines, or why there is none.
    pub fn report(&self, package: &Path, group: &Group) -> Result<Vec<Value>, String> {
        let output = package.join(format!("{}.jsonl", group.name));
        // What an earlier run left must not be taken for this one's.
        let _ = fs::remove_file(&output);
        let mut command = self.command(package, "run");
        command.args(["--format", "json", "--bin", &group.name, "--output"]).arg(&output);
        let ended = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&ended.stderr);
        let report = fs::read_to_string(&output)
            .map_err(|error| format!("there is no report: {error}\n{said}"))?;
        let lines: Result<Vec<Value>, _> = report.lines().map(serde_json::from_str).collect();
        lines.map_err(|error| format!("the report is not JSON lines: {error}"))
    }

    fn command(&self, package: &Path, subcommand: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
        command.current_dir(package).stdin(Stdio::null()).arg("rosser").arg(subcommand);
        command.args(&self.arguments).args(["--workers", &self.workers.to_string(), "--locked"]);
        command.arg("--target-dir").arg(package.join("target"));
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR"] {
            command.env_remove(variable);
        }
        command.envs(self.variables.iter().copied());
        command
    }
}
