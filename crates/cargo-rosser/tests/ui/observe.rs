//! What is found in a program.
//!
//! Most programs are started directly, in the environment that `show-env` prints, and what they
//! leave is read with the library that the command reads it with: that is several times as fast.
//! Those with a header go the whole way through the command, which decides how they end.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rosser_report::{Options, Report};
use serde_json::Value;

use crate::build::Build;
use crate::compare::compare;
use crate::expect::Program;

/// No program takes nearly as long. A run that hangs is a failure, not a reason to wait.
const PATIENCE: Duration = Duration::from_secs(300);

/// How the command and the programs are started.
#[derive(Debug)]
pub struct Setting {
    /// The package of programs.
    pub package: PathBuf,
    /// Where everything that is made goes.
    pub scratch: PathBuf,
    /// Who judges accesses.
    detector: &'static str,
    /// How programs are built.
    build: Build,
    /// What `show-env` prints.
    environment: Vec<(String, String)>,
}

impl Setting {
    /// Asks the command for the environment.
    pub fn new(package: PathBuf, scratch: PathBuf, detector: &'static str, build: Build) -> Self {
        let mut setting = Self { package, scratch, detector, build, environment: Vec::new() };
        let output = setting.command("show-env").arg("--json").output();
        let output = output.expect("the command can be started");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "there is no environment:\n{said}");
        let object: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let variables = object.as_object().expect("it is an object").iter();
        setting.environment = variables
            .map(|(name, value)| (name.clone(), value.as_str().expect("a string").to_owned()))
            .collect();
        setting
    }

    /// Starts the command in the package of programs, with a target directory of its own.
    pub fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
        command.current_dir(&self.package).args(["rosser", subcommand, "--locked"]);
        command.args(self.build.flags());
        command.arg("--target-dir").arg(self.scratch.join("target"));
        command.env("ROSSER_DETECTOR", self.detector);
        if self.detector == "sf-order" {
            command.env("ROSSER_WORKERS", "2");
        }
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_DIR", "ROSSER_MODE"]
        {
            command.env_remove(variable);
        }
        command
    }

    /// Where the programs are built.
    pub fn executables(&self) -> PathBuf {
        let value = |name| {
            let mut variables = self.environment.iter();
            variables.find(|(other, _)| other == name).map_or("", |(_, value)| value)
        };
        let target = Path::new(value("CARGO_TARGET_DIR")).join(value("CARGO_BUILD_TARGET"));
        target.join(self.build.directory())
    }

    /// Runs a program and says what is not as its source says. Nothing, if all is well.
    pub fn differences(&self, program: &Program) -> Vec<String> {
        let (code, report, said) = match self.observe(program) {
            Ok(observed) => observed,
            Err(problem) => return vec![problem],
        };
        let mut differences = Vec::new();
        if code != Some(program.exit) {
            differences.push(format!("exit code {code:?} instead of {}", program.exit));
        }
        match report {
            Ok(report) => compare(program, &report, &mut differences),
            Err(problem) => differences.push(format!("there is no report: {problem}")),
        }
        if !differences.is_empty() {
            let tail: Vec<&str> = said.lines().rev().take(6).collect();
            differences.extend(tail.into_iter().rev().map(|line| format!("    | {line}")));
        }
        differences
    }

    /// Runs a program.
    pub fn observe(&self, program: &Program) -> Result<Observed, String> {
        if program.whole { self.through_command(program) } else { self.directly(program) }
    }

    fn through_command(&self, program: &Program) -> Result<Observed, String> {
        let report = self.scratch.join(format!("{}.jsonl", program.name));
        // What an earlier run left must not be taken for this one's.
        let _ = fs::remove_file(&report);
        let mut command = self.command("run");
        command.args(["--quiet", "--format", "json", "--bin", &program.name, "--output"]);
        command.arg(&report).arg("--").args(&program.arguments);
        let (code, said) = self.finish(&mut command, &program.name)?;
        let report = fs::read_to_string(&report).map_err(|error| error.to_string());
        Ok((code, report, said))
    }

    fn directly(&self, program: &Program) -> Result<Observed, String> {
        self.start(&program.name, &program.name, &program.arguments)
    }

    /// Starts an executable. What it leaves gets a name of its own.
    pub fn start<S: AsRef<OsStr>>(
        &self,
        name: &str,
        executable: &str,
        arguments: &[S],
    ) -> Result<Observed, String> {
        let runs = self.scratch.join("runs").join(name);
        let _ = fs::remove_dir_all(&runs);
        fs::create_dir_all(&runs).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.executables().join(executable));
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        command.current_dir(&self.package).envs(environment).env("ROSSER_RUN_DIR", &runs);
        let (code, said) = self.finish(command.args(arguments), name)?;
        let options = Options { source_roots: vec![self.package.clone()], ..Options::default() };
        let report = Report::load(&runs, &options).map_err(|error| error.to_string());
        // Run files are large, though sparse.
        let _ = fs::remove_dir_all(&runs);
        let raced = report.as_ref().is_ok_and(|report| report.counts().data_races > 0);
        let code = if raced && code == Some(0) { Some(66) } else { code };
        Ok((code, report.map(|report| report.json_lines()), said))
    }

    /// Waits, though not for ever. What is said goes to a file, so that a full pipe cannot stop it.
    fn finish(&self, command: &mut Command, name: &str) -> Result<(Option<i32>, String), String> {
        let log = self.scratch.join(format!("{name}.log"));
        let output = fs::File::create(&log).map_err(|error| error.to_string())?;
        let errors = output.try_clone().map_err(|error| error.to_string())?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let started = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                let said = fs::read(&log).map_err(|error| error.to_string())?;
                return Ok((status.code(), String::from_utf8_lossy(&said).into_owned()));
            }
            if started.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end within {PATIENCE:?}"));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The exit code, the report in JSON lines or why there is none, and what was said.
pub type Observed = (Option<i32>, Result<String, String>, String);
