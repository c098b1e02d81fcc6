//! The system's compiler, with a few more arguments.
//!
//! What is added works whether the compiler compiles, links or does both, so that `rosser cc` can
//! stand wherever a build has `cc`. Gcc would link its own runtime for `-fsanitize=thread`: it is made
//! to find an empty library of that name. Clang can be told not to.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use cargo_rosser::error::{Error, Result};
use cargo_rosser::message::Terminal;
use cargo_rosser::run::own_code;

use super::library::Library;

/// Which compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `CC`, or else `cc`.
    C,
    /// `CXX`, or else `c++`.
    Cpp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Gcc,
    Clang,
}

/// For both: calls of the sanitizer, which are answered by Rosser; lines for the report; stacks that can
/// be walked.
const COMMON: &[&str] = &["-fsanitize=thread", "-g", "-fno-omit-frame-pointer"];

/// Entries and exits of functions are not needed.
const GCC: &[&str] = &["--param", "tsan-instrument-func-entry-exit=0"];
const CLANG: &[&str] = &[
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-fno-sanitize-link-runtime",
    "-Qunused-arguments",
];

/// After the program's own objects and libraries.
const LIBRARIES: &[&str] = &[
    "-Wl,--whole-archive",
    "-lrosser_checked",
    "-Wl,--no-whole-archive",
    "-lpthread",
    "-ldl",
    "-lm",
];

/// Calls the compiler.
pub fn compile(language: Language, arguments: &[OsString]) -> Result<u8> {
    let (variable, default) = match language {
        Language::C => ("CC", "cc"),
        Language::Cpp => ("CXX", "c++"),
    };
    let compiler = env::var_os(variable).filter(|name| !name.is_empty());
    let compiler = compiler.unwrap_or_else(|| default.into());
    let family = family(&compiler, variable)?;
    let library = Library::prepare(Terminal::default())?;
    let mut command = Command::new(&compiler);
    command.args(all(family, &library.headers(), &library.libraries(), arguments));
    let status = command.status();
    let status = status.map_err(|error| Error::file("run", Path::new(&compiler), &error))?;
    Ok(own_code(status))
}

/// Asks the compiler what it is.
fn family(compiler: &OsString, variable: &str) -> Result<Family> {
    let output = Command::new(compiler).arg("--version").output().map_err(|error| {
        let name = Path::new(compiler).display();
        Error::usage(format!("cannot run {name}: {error}\n{variable} says which compiler to use"))
    })?;
    let version = String::from_utf8_lossy(&output.stdout);
    Ok(if version.contains("clang") { Family::Clang } else { Family::Gcc })
}

/// The program's arguments among ours.
fn all(family: Family, headers: &Path, libraries: &Path, arguments: &[OsString]) -> Vec<OsString> {
    let own = match family {
        Family::Gcc => GCC,
        Family::Clang => CLANG,
    };
    let mut all: Vec<OsString> = COMMON.iter().chain(own).map(OsString::from).collect();
    for (flag, directory) in [("-I", headers), ("-L", libraries)] {
        all.extend([OsString::from(flag), directory.into()]);
    }
    all.extend(arguments.iter().cloned());
    // A shared library finds everything in the program that loads it.
    let links = !arguments.iter().any(|argument| {
        matches!(
            argument.to_str(),
            Some("-c" | "-S" | "-E" | "-shared" | "-fsyntax-only" | "-M" | "-MM")
        )
    });
    if links {
        all.extend(LIBRARIES.iter().map(OsString::from));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Family, all};
    use std::ffi::OsString;
    use std::path::Path;

    fn line(family: Family, arguments: &[&str]) -> String {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let all = all(family, Path::new("/i"), Path::new("/l"), &arguments);
        all.join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn libraries_come_after_the_programs_own_arguments() {
        assert_eq!(
            line(Family::Gcc, &["a.c", "-o", "a"]),
            "-fsanitize=thread -g -fno-omit-frame-pointer --param tsan-instrument-func-entry-exit=0 \
             -I /i -L /l a.c -o a -Wl,--whole-archive -lrosser_checked -Wl,--no-whole-archive \
             -lpthread -ldl -lm"
        );
    }

    #[test]
    fn what_does_not_link_gets_no_libraries() {
        for flag in ["-c", "-E", "-shared"] {
            assert!(!line(Family::Gcc, &[flag, "a.c"]).contains("-lrosser_checked"), "{flag}");
        }
    }

    #[test]
    fn clang_is_told_to_leave_its_runtime_out() {
        assert!(line(Family::Clang, &["a.c"]).contains("-fno-sanitize-link-runtime"));
    }
}
