//! C and C++ compilers: which one the user has, what it needs to be told, and what a call of it is for.
//!
//! `rosser cc` calls the compiler for programs in C, and `cargo rosser` has build scripts call it through
//! this executable: see `wrapper/c_compiler.rs`.

mod command_line;
mod find;
mod prepared;

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

pub use self::command_line::CommandLine;
pub use self::find::{find, is_us};
pub use self::prepared::{IDLE, Prepared};

use crate::error::{Error, Result};

/// The name of the runtime in static libraries. These bring it along, for C compilers to link.
pub const RUNTIME_MEMBER: &str = "rosser.o";

/// Set for compilers that are called: one that calls us in turn would do so for ever.
const CALLED: &str = "ROSSER_CC_CALLED";

/// The language of a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `cc`
    C,
    /// `c++`
    Cpp,
}

impl Language {
    /// Every language, C first.
    pub const ALL: [Self; 2] = [Self::C, Self::Cpp];

    /// The variable by which builds are told which compiler to use.
    pub fn variable(self) -> &'static str {
        match self {
            Self::C => "CC",
            Self::Cpp => "CXX",
        }
    }

    /// The variable that names the compiler that Rosser calls.
    pub fn own_variable(self) -> &'static str {
        match self {
            Self::C => "ROSSER_CC",
            Self::Cpp => "ROSSER_CXX",
        }
    }

    /// The name under which this executable is such a compiler.
    pub fn launcher(self) -> &'static str {
        match self {
            Self::C => "rosser-cc",
            Self::Cpp => "rosser-c++",
        }
    }

    /// The compilers that are looked for if none is named.
    fn defaults(self) -> [&'static str; 3] {
        match self {
            Self::C => ["cc", "gcc", "clang"],
            Self::Cpp => ["c++", "g++", "clang++"],
        }
    }

    /// What compiler this executable was called as, by its own name.
    pub fn called_as() -> Option<(Self, PathBuf)> {
        let path = PathBuf::from(env::args_os().next()?);
        let name = path.file_name()?;
        let language = Self::ALL.into_iter().find(|one| name == one.launcher())?;
        Some((language, path))
    }
}

/// A compiler, and what it is always called with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compiler {
    /// The program, as it is to be started.
    pub program: PathBuf,
    /// As in `CC="gcc -std=c99"`.
    pub arguments: Vec<OsString>,
}

impl Compiler {
    /// A call of it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env(CALLED, "1");
        command
    }

    /// Becomes the compiler. Returns only if that is not possible.
    pub fn become_it(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Error {
        if let Err(error) = self.must_not_call_us() {
            return error;
        }
        let error: io::Error = self.command().args(arguments).exec();
        Error::file("run", &self.program, &error)
    }

    /// An error if a compiler that we have called has called us.
    fn must_not_call_us(&self) -> Result<()> {
        if env::var_os(CALLED).is_none() {
            return Ok(());
        }
        Err(Error::usage(format!(
            "the compiler that Rosser calls has called Rosser: is `{}` a script that does? \
             ROSSER_CC and ROSSER_CXX say which compilers to use",
            self.program.display()
        )))
    }
}

/// What is added to a call before the user's arguments, and after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// What the user's own arguments may override.
    pub before: Vec<OsString>,
    /// What they may not.
    pub after: Vec<OsString>,
}

impl Added {
    /// What has a call compile with checks. If it links as well, `empty` is where the sanitizer's own library
    /// is found, with nothing in it.
    pub fn checks(line: &CommandLine, prepared: &Prepared, empty: &Path) -> Self {
        let mut added = Self::default();
        if !line.has_sources {
            return added;
        }
        // Programs are to be as they are in production.
        added.before.push("-U__SANITIZE_THREAD__".into());
        if line.compiles() {
            added.before.extend(prepared.flags.iter().cloned());
            // Stacks are walked by frame pointers.
            added.after.push("-fno-omit-frame-pointer".into());
            if !line.has_lines {
                added.after.push("-g".into());
            }
            if !line.stops_early {
                added.before.extend(["-L".into(), empty.into()]);
            }
        }
        added
    }

    /// The arguments to call the compiler with: the caller's, with what is added before and after them.
    pub fn around(self, arguments: &[OsString]) -> Vec<OsString> {
        self.before.into_iter().chain(arguments.iter().cloned()).chain(self.after).collect()
    }
}

/// Whether there is such a compiler that can be told to add checks; nothing is said if not.
pub fn prepare_for_builds(language: Language, variables: &[&str]) -> Result<Option<Prepared>> {
    let Ok(compiler) = find(language, variables) else { return Ok(None) };
    Ok(Some(Prepared::new(language, &compiler)?).filter(Prepared::can_check))
}
