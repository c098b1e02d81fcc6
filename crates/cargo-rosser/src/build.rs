//! `build`: builds with checks, and prints where the executables are.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::Invocation;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::{ending, environment, message, run};

/// Builds, prints the path of every executable, and returns cargo's exit code.
pub fn build(context: &Context, invocation: &Invocation, terminal: Terminal) -> Result<u8> {
    let run_directory = context.runs().name();
    let variables = environment::variables(context, invocation, &run_directory, terminal)?;
    let mut command = Command::new(&context.cargo);
    command.arg("build").args(&invocation.cargo).envs(variables);
    if invocation.has("message-format") {
        return Ok(run::own_code(ending::wait(&mut command, &context.cargo)?));
    }
    let failed = |error| Error::file("run", Path::new(&context.cargo), &error);
    command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let output = child.stdout.take().expect("it is piped");
    let mut written = Ok(());
    for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
        if let Some(executable) = executable(&line).filter(|_| written.is_ok()) {
            written = message::output(&format!("{executable}\n"), "where programs are");
        }
    }
    let code = run::own_code(child.wait().map_err(failed)?);
    written.map(|()| code)
}

/// The executable that a message of cargo's names, unless it is a build script.
fn executable(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    // Build scripts are executables, too, but not the user's.
    let is_script = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "custom-build");
    message["executable"].as_str().filter(|_| !is_script).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn programs_are_told_from_build_scripts_and_libraries() {
        let message = |kind: &str, executable: &str| {
            format!(r#"{{"target":{{"kind":["{kind}"]}},"executable":{executable}}}"#)
        };
        assert_eq!(executable(&message("bin", r#""/t/app""#)), Some("/t/app".to_owned()));
        assert_eq!(executable(&message("custom-build", r#""/t/script""#)), None);
        assert_eq!(executable(&message("lib", "null")), None);
    }
}
