//! What is found out about a compiler, once, and kept in the [`cache`]:
//!
//! ```text
//! <cache>/compiler-<key>/compiler          the compiler, and what it is called with
//!                        flags             what has it add checks; missing if it cannot
//!                        refused           what it said then
//!                        idle.o            for programs that are not checked: see `idle.c`
//!                        lib/libtsan.a     empty: what gcc links for `-fsanitize=thread`
//!                        rosser-cc         this executable, which finds all this by its own path
//! ```

use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{env, fs};

use super::{Compiler, Language};
use crate::cache;
use crate::error::{Error, Result};

/// What the callbacks of the sanitizer do where nothing is checked, in C.
pub const IDLE: &str = include_str!("idle.c");

/// Calls of the sanitizer, which are answered by Rosser.
const CHECKS: &str = "-fsanitize=thread";

/// Calls, and no jumps in place of calls.
const KEEP_FRAMES: &str = "-fno-optimize-sibling-calls";

/// What is tried, in this order. Entries and exits of functions are not needed, but older compilers cannot
/// leave them out. Clang has to be told not to make accesses too wide for its own checks, and not to link
/// its own runtime; gcc, not to make one of two functions that are alike, on whose lines nobody could rely. What a
/// function calls last must not take its place on the stack: its line is wanted.
const TRIED: &[&[&str]] = &[
    &[
        CHECKS,
        "-mllvm",
        "-tsan-instrument-func-entry-exit=0",
        "-fno-sanitize-link-runtime",
        "-Qunused-arguments",
        "-fno-vectorize",
        "-fno-slp-vectorize",
        KEEP_FRAMES,
    ],
    &[CHECKS, "--param=tsan-instrument-func-entry-exit=0", "-fno-ipa-icf", KEEP_FRAMES],
    &[CHECKS, KEEP_FRAMES],
    &[CHECKS],
];

const COMPILER: &str = "compiler";
const FLAGS: &str = "flags";
const REFUSED: &str = "refused";
const OBJECT: &str = "idle.o";
const EMPTY: &str = "lib";

/// A compiler that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The user's compiler, which is called in the end.
    pub compiler: Compiler,
    /// What has it add checks.
    pub flags: Vec<OsString>,
    directory: PathBuf,
}

impl Prepared {
    /// Looks it up, or finds out.
    pub fn new(language: Language, compiler: &Compiler) -> Result<Self> {
        let us = env::current_exe()
            .map_err(|error| Error::usage(format!("cannot find this executable: {error}")))?;
        let key = key(language, compiler, &us)?;
        let cached = cache::obtain(
            &format!("compiler-{key}"),
            || {},
            |unfinished| {
                find_out(language, compiler, &us, unfinished)?;
                Ok(unfinished.to_owned())
            },
        )?;
        Self::read(cached.directory)
            .ok_or_else(|| Error::usage("what is known of the compiler cannot be read"))
    }

    /// One that nothing has to be found out about.
    pub fn with_flags(compiler: Compiler, flags: Vec<OsString>) -> Self {
        Self { compiler, flags, directory: PathBuf::new() }
    }

    /// What the path of a launcher says.
    pub fn of_launcher(launcher: &Path) -> Option<Self> {
        Self::read(launcher.parent()?.to_owned())
    }

    /// The compiler that a launcher calls.
    pub fn compiler_behind(launcher: &Path) -> Option<Compiler> {
        Self::of_launcher(launcher).map(|prepared| prepared.compiler)
    }

    /// Whether it can add checks.
    pub fn can_check(&self) -> bool {
        !self.flags.is_empty()
    }

    /// What the compiler said when it was asked to.
    pub fn refused(&self) -> String {
        fs::read_to_string(self.directory.join(REFUSED)).unwrap_or_default()
    }

    /// This executable, under the name of a compiler.
    pub fn launcher(&self, language: Language) -> PathBuf {
        self.directory.join(language.launcher())
    }

    /// The directory of the empty library.
    pub fn empty(&self) -> PathBuf {
        self.directory.join(EMPTY)
    }

    /// What defines the callbacks for programs that are not checked.
    pub fn idle(&self) -> PathBuf {
        self.directory.join(OBJECT)
    }

    fn read(directory: PathBuf) -> Option<Self> {
        let mut words = lines(&directory.join(COMPILER))?.into_iter();
        let program = PathBuf::from(words.next()?);
        let compiler = Compiler { program, arguments: words.collect() };
        let flags = lines(&directory.join(FLAGS)).unwrap_or_default();
        Some(Self { compiler, flags, directory })
    }
}

/// Changes with the compiler, even if it is replaced in its place.
fn key(language: Language, compiler: &Compiler, us: &Path) -> Result<String> {
    let metadata = fs::metadata(&compiler.program)
        .map_err(|error| Error::file("read", &compiler.program, &error))?;
    let mut hasher = DefaultHasher::new();
    (language, compiler, us, IDLE, TRIED).hash(&mut hasher);
    (metadata.len(), metadata.mtime(), metadata.mtime_nsec()).hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

/// What goes into the directory.
fn find_out(language: Language, compiler: &Compiler, us: &Path, directory: &Path) -> Result<()> {
    let source = directory.join("idle.c");
    cache::write(&source, IDLE)?;
    // An archive without members.
    cache::write(&directory.join(EMPTY).join("libtsan.a"), "!<arch>\n")?;
    let program = compiler.program.as_os_str();
    let words = std::iter::once(program).chain(compiler.arguments.iter().map(OsString::as_os_str));
    write_lines(&directory.join(COMPILER), words)?;
    let error_of = |flags: &[&str], object: &str| {
        let mut command = compiler.command();
        command.args(["-O2", "-fPIC", "-x", "c"]).args(flags).arg("-c").arg(&source);
        command.arg("-o").arg(directory.join(object)).stdin(Stdio::null());
        match command.output() {
            Ok(output) if output.status.success() => None,
            Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Some(error.to_string()),
        }
    };
    let mut refused = error_of(&[], OBJECT);
    if refused.is_none() {
        for flags in TRIED {
            refused = error_of(flags, "tried.o");
            if refused.is_none() {
                write_lines(&directory.join(FLAGS), flags.iter().map(OsStr::new))?;
                break;
            }
        }
    }
    if let Some(why) = refused {
        cache::write(&directory.join(REFUSED), &why)?;
    }
    let launcher = directory.join(language.launcher());
    symlink(us, &launcher).map_err(|error| Error::file("create", &launcher, &error))
}

fn lines(path: &Path) -> Option<Vec<OsString>> {
    let bytes = fs::read(path).ok()?;
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Some(lines.map(|line| OsString::from_vec(line.to_vec())).collect())
}

fn write_lines<'a>(path: &Path, lines: impl Iterator<Item = &'a OsStr>) -> Result<()> {
    let bytes: Vec<u8> =
        lines.flat_map(|line| [line.as_bytes(), b"\n"]).flatten().copied().collect();
    fs::write(path, bytes).map_err(|error| Error::file("write", path, &error))
}
