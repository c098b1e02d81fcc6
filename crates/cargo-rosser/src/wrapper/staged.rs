//! The instrumentation stage, as the wrapper and the linker call it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rosser_abi::checks::{Kind, LEAVE_OUT};
use rosser_instrument::{Effort, Stage, Twins};

use crate::c_compiler::RUNTIME_MEMBER;
use crate::error::{Error, Result};
use crate::runtime_cache::Runtime;
use crate::wrapper::configuration::Configuration;
use crate::wrapper::decide::Call;

/// The variable that tells the linker how far the compiler was told to optimise.
pub const LEVEL: &str = "ROSSER_LINKER_LEVEL";

/// What the compiler was told, of which the linker would not know otherwise.
pub fn level_of_environment() -> u8 {
    env::var(LEVEL).ok().and_then(|level| level.parse().ok()).unwrap_or(3)
}

/// The stage for crates that are to be optimised so far, with the LLVM that the command has found.
pub fn stage_of(with: &Configuration, level: u8) -> Result<Stage> {
    let Some(llvm) = &with.llvm else {
        return Err(Error::usage("asked to put checks in, but not told with which LLVM"));
    };
    rosser_instrument::load(llvm).map_err(Error::usage)?;
    stage(&with.runtime, with.is_quick, level)
}

/// The stage with the runtime in a directory. LLVM is loaded already.
pub fn stage(runtime: &Path, is_quick: bool, level: u8) -> Result<Stage> {
    let twins = Runtime::twins(runtime).map(|path| Twins::read(&path)).transpose();
    let twins = twins.map_err(Error::usage)?;
    if is_quick {
        return Ok(Stage { fast_path: None, effort: Effort::Quick, left_out: None, twins });
    }
    let path = Runtime::fast_path(runtime);
    let fast_path = fs::read(&path).map_err(|error| Error::file("read", &path, &error))?;
    Ok(Stage { fast_path: Some(fast_path), effort: Effort::Fast(level), left_out: None, twins })
}

/// The kind of checks that the crate which is being linked is to go without, if a test has asked for that.
pub fn left_out_of_environment() -> Result<Option<Kind>> {
    let Some(name) = env::var_os(LEAVE_OUT).filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    let kind = Kind::named(name.as_encoded_bytes());
    let unknown =
        || Error::usage(format!("{LEAVE_OUT} names no kind of checks: {}", name.display()));
    kind.map(Some).ok_or_else(unknown)
}

/// Has the stage do with the libraries of a call, which the compiler has made, what is to be done.
pub fn finish_libraries(call: &Call, with: &Configuration) -> Result<()> {
    let libraries = call.libraries.iter().filter(|library| library.is_file());
    let libraries: Vec<&PathBuf> = libraries.collect();
    if libraries.is_empty() {
        return Ok(());
    }
    let stage = stage_of(with, call.level)?;
    for library in libraries {
        if !call.is_seen {
            stage.redirect_library(library).map_err(Error::usage)?;
            continue;
        }
        stage.check_library(library).map_err(Error::usage)?;
        if library.extension().is_some_and(|it| it == "a") {
            let runtime = Runtime::library(&with.runtime);
            rosser_instrument::add_objects(&runtime, library, RUNTIME_MEMBER)
                .map_err(Error::usage)?;
        }
    }
    Ok(())
}
