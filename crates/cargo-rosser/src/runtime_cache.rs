//! The runtime library, compiled once for each compiler and mode, for one worker and for several.
//!
//! Its sources travel inside this executable. They are written to a directory of the [`cache`] whose name
//! is a hash of them, of the compiler and of the flags.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use rosser_instrument::FastPath;

use crate::cache;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::settings::Mode;
use crate::sources;
use crate::toolchain::{LIBRARIES, Toolchain, WORKS_WITH};
use crate::wrapper::{idle, staged};

/// The crates of the runtime, in the order in which they have to be compiled.
const CRATES: [&str; 3] = ["rosser-abi", "rosser-detect", "rosser-runtime"];

/// The shim: the wrapper compiles it, with the program.
const SHIM: &str = "rayon-core";

/// How each of them is compiled. Without debug information, because then code that is inlined
/// into the program counts as part of the line that called it. Merged functions become aliases,
/// which are never inlined. Functions that replace the C library's give way to the program's. Names
/// tell for which crate generic functions were compiled.
const FLAGS: &[&str] = &[
    "--edition=2024",
    "--crate-type=rlib",
    "-Copt-level=3",
    "-Cpanic=unwind",
    "-Cembed-bitcode=yes",
    "-Ccodegen-units=1",
    "-Cforce-frame-pointers=yes",
    "-Csymbol-mangling-version=v0",
    "--cfg=rosser_weak",
    "-Zmerge-functions=disabled",
    "-Ztls-model=initial-exec",
    "--cap-lints=allow",
];

/// Leaves bitcode for the linker.
pub const AS_BITCODE: &str = "-Clinker-plugin-lto";

/// Tells a crate that is part of every program that tasks run on several workers.
pub const WORKERS: &str = "--cfg=rosser_workers";

/// A directory that is there if the standard library is seen: what a compiler has its libraries in.
const SYSROOT: &str = "sysroot";
/// How far the standard library is optimised.
const STD_LEVEL: u8 = 3;

/// A file that is there if the standard library is seen: its functions that have a twin which is not.
const TWINS: &str = "twins";

/// A file that is there if they do.
const HAS_WORKERS: &str = "has-workers";
/// A file that is there if the compiler has the attribute `sanitize`.
const HIDES_FUNCTIONS: &str = "hides-functions";
/// The first version that has it, of 1.
const HIDES_FUNCTIONS_SINCE: u32 = 91;

/// How a runtime is built: for what kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Build {
    /// Fast to run or quick to build.
    pub mode: Mode,
    /// Who puts checks in, and into what.
    pub checks: Checks,
    /// Whether tasks run on several workers while they are checked.
    pub has_workers: bool,
    /// Whether it is to be run by Valgrind, which wants another layout of the address space.
    pub is_for_valgrind: bool,
}

/// Who puts checks in, and into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checks {
    /// The compiler, into the program's crates.
    ByCompiler,
    /// The stage, with the compiler's LLVM, into the program's crates.
    Staged,
    /// The stage, into these and into the standard library.
    StagedWithStd,
}

impl Build {
    fn is_staged(self) -> bool {
        self.checks != Checks::ByCompiler
    }

    fn is_std_seen(self) -> bool {
        self.checks == Checks::StagedWithStd
    }

    /// Whether the fast path is inlined into the program: only the stage can.
    fn is_inlined(self) -> bool {
        self.mode == Mode::Fast && self.is_staged()
    }
}

/// Where the runtime is.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// The directory of its libraries.
    pub directory: PathBuf,
    /// The hash, which stands for everything that goes into an instrumented program.
    pub key: String,
}

impl Runtime {
    /// The library that is linked into every program.
    pub fn library(directory: &Path) -> PathBuf {
        directory.join("librosser_runtime.rlib")
    }

    /// The part of it that is inlined into the program, as bitcode, if there is one.
    pub fn fast_path(directory: &Path) -> PathBuf {
        directory.join("fast-path.bc")
    }

    /// What shared libraries define in place of what that refers to, in C, if there is such a part.
    pub fn inlined(directory: &Path) -> PathBuf {
        directory.join("inlined.c")
    }

    /// What programs are compiled with in place of the compiler's own libraries, if the standard library is seen.
    pub fn sysroot(directory: &Path) -> Option<PathBuf> {
        Some(directory.join(SYSROOT)).filter(|sysroot| sysroot.is_dir())
    }

    /// The names of the functions that code which is not seen calls in another version, if the standard library is
    /// seen.
    pub fn twins(directory: &Path) -> Option<PathBuf> {
        Some(directory.join(TWINS)).filter(|twins| twins.is_file())
    }

    /// The root of the crate that replaces rayon-core.
    pub fn rayon_core(directory: &Path) -> PathBuf {
        directory.join("rayon-core/src/lib.rs")
    }

    /// Whether the compiler has an attribute for functions that are not to be instrumented.
    pub fn can_hide_functions(directory: &Path) -> bool {
        directory.join(HIDES_FUNCTIONS).exists()
    }

    /// Whether tasks run on several workers.
    pub fn has_workers(directory: &Path) -> bool {
        directory.join(HAS_WORKERS).exists()
    }
}

/// Finds the runtime for a compiler and a mode, or builds it.
pub fn prepare(toolchain: &Toolchain, how: Build, terminal: Terminal) -> Result<Runtime> {
    let name = key(toolchain, how);
    let announce = || {
        let (mode, release) = (how.mode.name(), &toolchain.release);
        let workers = if how.has_workers { ", for several workers," } else { "" };
        let seen = if how.is_std_seen() { " and the standard library, seen," } else { "" };
        terminal.status(
            "Building",
            &format!(
                "Rosser's {mode} runtime{workers}{seen} for rustc {release} (once per toolchain)"
            ),
        );
    };
    let cached = cache::obtain(&name, announce, |unfinished| {
        build(toolchain, how, unfinished)?;
        Ok(unfinished.to_owned())
    })?;
    // Libraries that were built with a runtime need that very one: another of the same sources may differ.
    let mut hasher = DefaultHasher::new();
    (&name, &cached.content).hash(&mut hasher);
    Ok(Runtime { directory: cached.directory, key: format!("{:016x}", hasher.finish()) })
}

/// The name of the cache's directory.
fn key(toolchain: &Toolchain, how: Build) -> String {
    let mut hasher = DefaultHasher::new();
    let built_with = (env!("ROSSER_BUILDS_WITH"), rosser_instrument::VERSION);
    sources().for_each(|file| file.hash(&mut hasher));
    (FLAGS, how, built_with, &toolchain.verbose_version).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The source files of the runtime and of the shim: crate, path in it, text.
fn sources() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CRATES.into_iter().chain([SHIM]).flat_map(|name| {
        let files = sources::of(name).filter(|(path, _)| path.starts_with("src/"));
        files.map(move |(path, text)| (name, path, text))
    })
}

/// Fills the directory.
fn build(toolchain: &Toolchain, how: Build, directory: &Path) -> Result<()> {
    for (name, path, text) in sources() {
        cache::write(&directory.join(name).join(path), text)?;
    }
    if toolchain.minor() >= HIDES_FUNCTIONS_SINCE {
        cache::write(&directory.join(HIDES_FUNCTIONS), "")?;
    }
    if how.has_workers {
        cache::write(&directory.join(HAS_WORKERS), "")?;
    }
    CRATES.iter().try_for_each(|name| compile(toolchain, how, directory, name))?;
    if how.is_staged() {
        let libraries: Vec<PathBuf> = CRATES.iter().map(|name| library(directory, name)).collect();
        let standard_library = toolchain.libraries()?;
        let fast_path =
            rosser_instrument::make_runtime(&libraries, &standard_library, how.is_inlined())
                .map_err(Error::usage)?;
        fast_path.map_or(Ok(()), |fast_path| write_fast_path(&fast_path, directory))?;
        if how.is_std_seen() {
            make_sysroot(toolchain, how, directory)?;
        }
    }
    Ok(())
}

/// Writes the part of the runtime that is inlined, and what shared libraries have in place of the rest.
fn write_fast_path(fast_path: &FastPath, directory: &Path) -> Result<()> {
    let path = Runtime::fast_path(directory);
    std::fs::write(&path, &fast_path.bitcode)
        .map_err(|error| Error::file("write", &path, &error))?;
    cache::write(&Runtime::inlined(directory), &idle::inlined(fast_path))
}

/// Lays a compiler's libraries out once more, with checks in those of the standard library.
fn make_sysroot(toolchain: &Toolchain, how: Build, directory: &Path) -> Result<()> {
    let libraries = toolchain.libraries()?;
    let new = directory.join(SYSROOT).join(LIBRARIES);
    let stage = staged::stage(directory, how.mode == Mode::Quick, STD_LEVEL)?;
    let twins = rosser_instrument::make_standard_library(&stage, &libraries, &new);
    twins.and_then(|twins| twins.write(&directory.join(TWINS))).map_err(Error::usage)?;
    // The compiler looks for its linker there.
    let (programs, new) = (libraries.with_file_name("bin"), new.with_file_name("bin"));
    if programs.is_dir() {
        symlink(&programs, &new).map_err(|error| Error::file("create", &new, &error))?;
    }
    Ok(())
}

/// The library of one crate of the runtime.
fn library(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("lib{}.rlib", name.replace('-', "_")))
}

fn compile(toolchain: &Toolchain, how: Build, directory: &Path, name: &str) -> Result<()> {
    let mut command = Command::new(&toolchain.rustc);
    command.env("RUSTC_BOOTSTRAP", "1").args(FLAGS);
    // The directory's name is another each time; what is built should be the same.
    let mut remapped = OsString::from("--remap-path-prefix=");
    remapped.push(directory);
    remapped.push("=rosser");
    command.arg(remapped);
    command.arg(format!("--crate-name={}", name.replace('-', "_")));
    if how.is_inlined() {
        command.arg("--cfg=rosser_inline");
    }
    if how.is_staged() {
        command.arg(AS_BITCODE).arg("--cfg=rosser_sealed");
    } else {
        command.arg("--cfg=rosser_by_compiler");
    }
    if how.is_std_seen() {
        command.arg("--cfg=rosser_std_seen");
    }
    if how.has_workers {
        command.arg(WORKERS);
    }
    if how.is_for_valgrind {
        command.arg("--cfg=rosser_valgrind");
    }
    command.arg(directory.join(name).join("src/lib.rs"));
    for earlier in CRATES.iter().take_while(|earlier| **earlier != name) {
        let crate_name = earlier.replace('-', "_");
        let mut value = OsString::from(format!("{crate_name}="));
        value.push(library(directory, earlier));
        command.arg("--extern").arg(value);
    }
    command.arg("--out-dir").arg(directory);
    finish(command, toolchain, name)
}

/// Runs the compiler to its end.
fn finish(mut command: Command, toolchain: &Toolchain, name: &str) -> Result<()> {
    let output = command
        .output()
        .map_err(|error| Error::file("run", Path::new(&toolchain.rustc), &error))?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(Error::usage(format!(
        "rustc {} cannot build {name}:\n{}\n{WORKS_WITH}",
        toolchain.release,
        why.trim()
    )))
}
