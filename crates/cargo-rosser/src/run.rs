//! `run`, `test`, `bench`, `nextest`: call cargo in the instrumented environment, then report.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::cli::{Invocation, Subcommand};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::{ending, environment, exit, report};

/// The limit for the stack of the program's main thread, if the system allows as much.
const MAIN_STACK: u64 = 1 << 30;

/// Runs the subcommand and returns the exit code.
pub(crate) fn run(context: &Context, invocation: &Invocation, terminal: Terminal) -> Result<u8> {
    if invocation.subcommand == Subcommand::Nextest {
        require_nextest(context)?;
    }
    let runs = context.runs();
    let name = runs.name();
    report::check(&context.settings, &context.workspace_root)?;
    let variables = environment::variables(context, invocation, &name, terminal)?;
    let run = runs.create(name)?;
    let mut command = Command::new(&context.cargo);
    command.args(arguments(context, invocation)).envs(variables);
    raise_stack_limit();
    let status = ending::wait(&mut command, &context.cargo)?;
    let own = own_code(status);
    if invocation.has("no-run") {
        return Ok(own);
    }
    let Some(found) = report::load(&context.settings, &context.workspace_root, &run.directory)?
    else {
        let _ = fs::remove_dir_all(&run.directory);
        if own == exit::CARGO {
            // It does not build, as cargo has said.
            return Ok(own);
        }
        terminal.error(report::NOTHING_CHECKED);
        return Ok(if own == exit::CLEAN { exit::NOT_CHECKED } else { own });
    };
    let written = report::write(&found, &context.settings, terminal, invocation.has("verbose"));
    report::code_if(written, report::code(&found.counts(), context.settings.fail_on, own), terminal)
}

/// The arguments for cargo.
fn arguments(context: &Context, invocation: &Invocation) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec![invocation.subcommand.name().into()];
    match invocation.subcommand {
        Subcommand::Nextest => arguments.push("run".into()),
        Subcommand::Test => {
            // All test binaries run, so that the report is about all of them.
            if !invocation.has("no-fail-fast") {
                arguments.push("--no-fail-fast".into());
            }
            // With a selection of targets cargo runs no doctests. These are the targets it would test without one.
            if !context.settings.doctests && !invocation.selects_targets() {
                arguments.push("--tests".into());
            }
        }
        _ => {}
    }
    arguments.extend(invocation.cargo.iter().cloned());
    arguments.extend(invocation.filters.iter().cloned());
    if !invocation.arguments.is_empty() {
        arguments.push("--".into());
        arguments.extend(invocation.arguments.iter().cloned());
    }
    arguments
}

/// Raises the limit of the stack, which the program inherits: a serial run nests as deeply as tasks do.
pub fn raise_stack_limit() {
    let limit = getrlimit(Resource::Stack);
    let wanted = limit.maximum.map_or(MAIN_STACK, |maximum| maximum.min(MAIN_STACK));
    if limit.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
        // A smaller stack is no reason not to run.
        let _ = setrlimit(Resource::Stack, raised);
    }
}

/// The exit code of a program; 128 and the signal's number if a signal ended it.
pub fn own_code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .unwrap_or_else(|| i32::from(exit::SIGNAL) + status.signal().unwrap_or_default());
    u8::try_from(code).unwrap_or(u8::MAX)
}

fn require_nextest(context: &Context) -> Result<()> {
    let output = Command::new(&context.cargo).args(["nextest", "--version"]).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Err(Error::usage(
        "cargo-nextest is not installed: `cargo install --locked cargo-nextest` installs it, and \
         `cargo rosser test` does without",
    ))
}
