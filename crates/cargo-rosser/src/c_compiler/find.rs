//! Which compiler the user has. Variables may name this executable itself, because that is how builds are
//! made to call it: then the compiler is another one.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::prepared::Prepared;
use super::{Compiler, Language};
use crate::error::{Error, Result};

/// The names of our executables, and those under which they are compilers.
const OURS: [&str; 4] = ["rosser", "cargo-rosser", "rosser-cc", "rosser-c++"];

/// The compiler that the first of the variables names that is set and not us, or else the system's.
/// `ROSSER_CC` or `ROSSER_CXX` comes before all others.
pub fn find(language: Language, variables: &[&str]) -> Result<Compiler> {
    let compiler = first(language, variables)?;
    compiler.must_not_call_us()?;
    Ok(compiler)
}

fn first(language: Language, variables: &[&str]) -> Result<Compiler> {
    let own = [language.own_variable()];
    for variable in own.iter().chain(variables) {
        let Some(value) = env::var_os(variable).filter(|value| !value.is_empty()) else { continue };
        match named(&value) {
            Named::Compiler(compiler) | Named::Us(Some(compiler)) => return Ok(compiler),
            Named::Us(None) => {}
            Named::Nothing => {
                let name = Path::new(&value).display();
                return Err(Error::usage(format!(
                    "cannot run {name}: there is no such program\n{variable} says which compiler to use"
                )));
            }
        }
    }
    let mut found = language.defaults().into_iter().filter_map(|name| in_path(name.as_ref()));
    let program = found.find(|program| !is_us(program)).ok_or_else(|| {
        let (name, variable) = (language.defaults()[0], language.own_variable());
        Error::usage(format!("there is no compiler `{name}`; {variable} can name another"))
    })?;
    Ok(Compiler { program, arguments: Vec::new() })
}

/// What the value of a variable names.
enum Named {
    Compiler(Compiler),
    /// This executable, and the compiler that it calls if it is known.
    Us(Option<Compiler>),
    Nothing,
}

/// The value is a path, or a command with arguments.
fn named(value: &OsStr) -> Named {
    let words: Vec<OsString> = match (in_path(value), value.to_str()) {
        (None, Some(text)) => text.split_whitespace().map(OsString::from).collect(),
        _ => vec![value.to_owned()],
    };
    // We may come after others, as in `ccache rosser cc`.
    if let Some(us) = words.iter().filter_map(|word| in_path(word)).find(|path| is_us(path)) {
        return Named::Us(Prepared::compiler_behind(&us));
    }
    match words.split_first().and_then(|(first, rest)| Some((in_path(first)?, rest))) {
        Some((program, rest)) => Named::Compiler(Compiler { program, arguments: rest.to_vec() }),
        None => Named::Nothing,
    }
}

/// Whether a program is this executable, under whatever name, or another of ours.
pub fn is_us(program: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let target = real(program);
    let has_our_name =
        |path: &Path| OURS.iter().any(|name| path.file_name() == Some(name.as_ref()));
    let us = env::current_exe().ok().and_then(|path| real(&path));
    has_our_name(program)
        || target.as_deref().is_some_and(has_our_name)
        || target.is_some() && target == us
}

/// Where a program is: a path, or a name that is looked for in `PATH`.
fn in_path(program: &OsStr) -> Option<PathBuf> {
    let can_run = |path: &PathBuf| {
        path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    if program.as_encoded_bytes().contains(&b'/') {
        return env::current_dir().ok().map(|here| here.join(program)).filter(can_run);
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(program)).find(can_run)
}
