//! Small projects in temporary directories, and `cargo rosser` in them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A project that goes away with this value.
pub struct Project {
    directory: TempDir,
}

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// Of a command whose standard output goes elsewhere.
    pub fn of_child(mut command: Command) -> Self {
        let child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        // The command keeps its end of a pipe.
        drop(command);
        let output = child.wait_with_output().expect("it ends");
        Self {
            code: output.status.code(),
            stdout: String::new(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Of any command.
    pub fn of(mut command: Command) -> Self {
        let output = command.output().expect("it starts");
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Project {
    /// A project of these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { directory: TempDir::new().expect("there is a temporary directory") };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// A package `app` of one program.
    pub fn program(main: &str) -> Self {
        Self::new(&[("Cargo.toml", &manifest("app", "")), ("src/main.rs", main)])
    }

    pub fn path(&self, inside: &str) -> PathBuf {
        self.directory.path().join(inside)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it is in the project")).expect("it is ours");
        fs::write(path, text).expect("it is ours");
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("the file is there")
    }

    /// A file that can be executed.
    pub fn write_script(&self, path: &str, text: &str) {
        self.write(path, text);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(path), mode).expect("it is ours");
    }

    /// A script that notes what it is called with in the file `log` and calls that.
    pub fn write_wrapper(&self, path: &str) {
        let log = self.path("log");
        let script = format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display());
        self.write_script(path, &script);
    }

    /// The calls that the wrapper has noted for a crate.
    pub fn calls(&self, crate_name: &str) -> Vec<String> {
        let name = format!("--crate-name {crate_name} ");
        self.read("log").lines().filter(|line| line.contains(&name)).map(str::to_owned).collect()
    }

    pub fn rosser(&self, line: &str) -> Outcome {
        self.rosser_with(line, &[] as &[(&str, &str)])
    }

    /// Runs `cargo rosser` in an environment that is not that of the test.
    pub fn rosser_with(&self, line: &str, variables: &[(&str, impl AsRef<OsStr>)]) -> Outcome {
        let mut command = self.command(line);
        for (name, value) in variables {
            command.env(name, value);
        }
        Outcome::of(command)
    }

    /// The command that does so.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rosser"));
        command.arg("rosser").args(line.split_whitespace()).current_dir(self.directory.path());
        for name in ["CARGO_TARGET_DIR", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTDOCFLAGS", "NO_COLOR"] {
            command.env_remove(name);
        }
        // The runtime is built once for all tests.
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        command.env("ROSSER_CACHE_DIR", cache);
        command
    }
}

/// A manifest of a package without dependencies, and more lines.
pub fn manifest(name: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}\n")
}
