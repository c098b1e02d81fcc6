//! Runs the built `rosser` at the root of the workspace, so that paths in reports are short.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run of the command left.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The command with the given arguments, without whatever asks for colours.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosser"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR").env_remove("NO_COLOR");
    command.args(arguments);
    command
}

/// Runs to the end. Whatever the input, the command must not panic.
pub fn finish(command: &mut Command) -> Ran {
    ran(command.output().expect("the command can be started"))
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    let ran = Ran {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

/// Runs with arguments.
pub fn rosser(arguments: &[&str]) -> Ran {
    finish(&mut command(arguments))
}

/// Runs with a program on standard input.
pub fn with_input(arguments: &[&str], program: &str) -> Ran {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(program.as_bytes()).expect("it reads its input");
    drop(stdin);
    ran(child.wait_with_output().expect("it ends"))
}
