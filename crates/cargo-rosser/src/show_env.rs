//! `show-env`: the environment that makes any cargo command an instrumented one.

use std::ffi::OsString;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::cli::Invocation;
use crate::context::Context;
use crate::error::Result;
use crate::message::Terminal;
use crate::{environment, exit, message};

/// Prints the environment in which `run` would call cargo, for a shell to evaluate.
pub fn show_env(context: &Context, invocation: &Invocation, terminal: Terminal) -> Result<u8> {
    let runs = context.runs();
    let name = runs.name_for_others();
    let variables = environment::variables(context, invocation, &name, terminal)?;
    runs.create(name)?;
    let mut shown = String::new();
    if invocation.has("json") {
        let object: Map<String, Value> = variables
            .into_iter()
            .map(|(name, value)| (name, value.to_string_lossy().into_owned().into()))
            .collect();
        shown = format!("{}\n", Value::from(object));
    } else {
        for (name, value) in variables {
            writeln!(shown, "export {name}={}", quoted(&value)).expect("strings grow");
        }
    }
    message::output(&shown, "the environment")?;
    Ok(exit::CLEAN)
}

/// A value as a shell takes it.
pub fn quoted(value: &OsString) -> String {
    let text = value.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn values_survive_the_shell() {
        assert_eq!(quoted(&"/a/b-c.d".into()), "/a/b-c.d");
        assert_eq!(quoted(&"".into()), "''");
        assert_eq!(quoted(&"it's $HOME".into()), r"'it'\''s $HOME'");
    }
}
