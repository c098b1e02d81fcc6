//! The role of the C and C++ compiler: build scripts call it, by way of the crates `cc` and `cmake` and of all
//! that asks the same variables, and it calls the user's own.
//!
//! What is compiled for the program gets checks; what build scripts compile for the host does not. Host and
//! target are the same machine, but cargo keeps their directories apart. What a build script links itself is
//! not checked: it is run at once, or it is a shared library. There the callbacks are idle.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rosser_abi::names::crates::ALLOCATORS;

use crate::c_compiler::{Added, CommandLine, Language, Prepared, find, prepare_for_builds};
use crate::environment::Variables;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::toolchain::HOST;
use crate::wrapper::configuration::{BUILD, UNINSTRUMENTED};

/// The variables that have build scripts call this executable, for those compilers that there are and that can
/// add checks. What the user has set is what is called in the end.
pub fn variables() -> Result<Variables> {
    let mut variables = Vec::new();
    for language in Language::ALL {
        let general = language.variable();
        // In the order of the crate `cc`.
        let with_dashes = format!("{general}_{HOST}");
        let with_underscores = with_dashes.replace('-', "_");
        let host = format!("HOST_{general}");
        let named = [&*with_dashes, &with_underscores, &host, general];
        let Some(prepared) = prepare_for_builds(language, &named)? else { continue };
        let launcher = OsString::from(prepared.launcher(language));
        if env::var_os(&with_dashes).is_some() {
            variables.push((with_dashes, launcher.clone()));
        }
        variables.push((with_underscores, launcher));
    }
    Ok(variables)
}

/// Does what a build script wants.
pub fn main(language: Language, launcher: &Path) -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let error = call(language, launcher, &arguments);
    Terminal::default().error(&error.message);
    ExitCode::from(error.code)
}

/// Becomes the compiler. Returns only if that is not possible.
fn call(language: Language, launcher: &Path, arguments: &[OsString]) -> Error {
    let Some(prepared) = Prepared::of_launcher(launcher) else {
        return match find(language, &[]) {
            Ok(compiler) => compiler.become_it(arguments),
            Err(error) => error,
        };
    };
    let line = CommandLine::new(arguments);
    let get = |name: &str| env::var_os(name);
    let here = env::current_dir().unwrap_or_default();
    let added = if prepared.can_check() && is_checked(get, &here) {
        added(&line, &prepared)
    } else {
        Added::default()
    };
    prepared.compiler.become_it(added.around(arguments))
}

/// What is added to a call for the target.
fn added(line: &CommandLine, prepared: &Prepared) -> Added {
    if line.is_incompatible {
        return Added::default();
    }
    let mut added = Added::checks(line, prepared, &prepared.empty());
    if line.links() {
        // As an option, because a file might be taken for a source.
        added.after.extend(["-Xlinker".into(), prepared.idle().into()]);
    }
    added
}

/// Whether what is compiled becomes part of a program that is checked.
fn is_checked(get: impl Fn(&str) -> Option<OsString>, here: &Path) -> bool {
    let text =
        |name: &str| get(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
    let Some(build) = get(BUILD).map(PathBuf::from) else { return false };
    let package = text("CARGO_PKG_NAME").replace('-', "_");
    let is_left_alone = ALLOCATORS.contains(&package.as_str())
        || text(UNINSTRUMENTED).split(',').any(|name| name == package);
    let place = get("OUT_DIR").map_or_else(|| here.to_owned(), PathBuf::from);
    let inside = place.strip_prefix(build).unwrap_or(&place);
    !is_left_alone && inside.iter().any(|part| part == HOST)
}

#[cfg(test)]
mod tests {
    use super::is_checked;
    use std::path::Path;

    const TARGET: &str = "/p/target/rosser/fast/x86_64-unknown-linux-gnu/debug/build/a-1/out";
    const FOR_HOST: &str = "/p/target/rosser/fast/debug/build/a-1/out";

    fn checked(package: &str, out: Option<&str>, here: &str) -> bool {
        let get = |name: &str| match name {
            "ROSSER_WRAPPER_BUILD" => Some("/p/target/rosser/fast".into()),
            "ROSSER_WRAPPER_UNINSTRUMENTED" => Some("left_alone,other".into()),
            "CARGO_PKG_NAME" => Some(package.into()),
            "OUT_DIR" => out.map(Into::into),
            _ => None,
        };
        is_checked(get, Path::new(here))
    }

    #[test]
    fn what_is_for_the_host_is_not_checked() {
        assert!(checked("a", Some(TARGET), "/p"));
        assert!(!checked("a", Some(FOR_HOST), "/p"));
        // Not even if what it calls does not know where its results go.
        assert!(checked("a", None, TARGET));
        assert!(!checked("a", None, FOR_HOST));
        assert!(!checked("a", None, "/elsewhere"));
    }

    #[test]
    fn allocators_and_what_the_user_names_are_left_alone() {
        assert!(!checked("libmimalloc-sys", Some(TARGET), "/p"));
        assert!(!checked("left-alone", Some(TARGET), "/p"));
        assert!(checked("mine", Some(TARGET), "/p"));
    }
}
