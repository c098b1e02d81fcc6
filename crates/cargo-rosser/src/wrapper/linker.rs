//! The role of the linker: the compiler calls it with the command line of the one that it would have called.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use rosser_abi::names::crates::ALLOCATORS;
use rosser_instrument::{Exceptions, Linked};

use crate::error::{Error, Result};
use crate::runtime_cache::Runtime;
use crate::wrapper::configuration::Configuration;
use crate::wrapper::{idle, staged};

/// The variable that says that the compiler calls this executable as the linker, and what the user links with.
pub const VARIABLE: &str = "ROSSER_LINKER";

/// What the user links with, if the compiler called us.
pub fn of_environment() -> Option<OsString> {
    env::var_os(VARIABLE)
}

/// Links a program or a shared library.
pub fn link(
    linker: &OsString,
    arguments: Vec<OsString>,
    configuration: &Configuration,
) -> Result<ExitCode> {
    let mut stage = staged::stage_of(configuration, staged::level_of_environment())?;
    stage.left_out = staged::left_out_of_environment()?;
    let with = Linked {
        runtime: Runtime::library(&configuration.runtime),
        names: idle::names(&configuration.runtime),
        idle: idle::source(&configuration.runtime),
        except: Exceptions {
            unchecked: configuration.uninstrumented.clone(),
            ignored: ALLOCATORS.iter().map(ToString::to_string).collect(),
        },
    };
    let status = rosser_instrument::link(&stage, &with, linker, arguments).map_err(Error::usage)?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
