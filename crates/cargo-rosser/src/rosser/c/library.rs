//! What checked programs are linked with, compiled once for each version of Rosser and of rustc.
//!
//! ```text
//! <cache>/c-<key>/include/rosser.h, rosser.hpp
//!                 lib/librosser_checked.a    the task library, under the detector, and the runtime
//!                     libtsan.a              empty: what `-fsanitize=thread` would link
//!                     exported               what libraries find in the program that loads them
//! ```
//!
//! The sources travel inside this executable. Unlike the runtime for Rust programs they have
//! dependencies, so cargo compiles them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cache;
use crate::cargo_config::CargoConfig;
use crate::error::{Error, Result};
use crate::message::Terminal;
use crate::sources;
use crate::toolchain::Toolchain;

/// The crates that are compiled.
const CRATES: [&str; 5] = ["rosser", "rosser-c", "rosser-detect", "rosser-abi", "rosser-runtime"];

/// The directory of the workspace's own files among the sources.
const WORKSPACE: &str = "workspace";

/// What a manifest is called among the sources. Cargo would take a `Cargo.toml` for another package, and not pack it.
const MANIFEST: &str = "manifest.toml";

/// What ties the crates together: a static library of both.
const ROOT: [(&str, &str); 2] = [
    (
        "crates/rosser-checked/Cargo.toml",
        r#"[package]
name = "rosser-checked"
version = "0.0.0"
edition = "2024"
publish = false

[lib]
crate-type = ["staticlib"]

[dependencies]
rosser-c = { path = "../rosser-c" }
rosser-runtime = { path = "../rosser-runtime" }
"#,
    ),
    ("crates/rosser-checked/src/lib.rs", "extern crate rosser_c;\nextern crate rosser_runtime;\n"),
];

/// The detector wants to be talked to, functions that replace the C library's give way to the program's,
/// stacks are walked by frame pointers, thread-locals are in the executable, and names tell for which
/// crate generic functions were compiled.
const FLAGS: [&str; 6] = [
    "--cfg=rosser",
    "--cfg=rosser_weak",
    "-Cforce-frame-pointers=yes",
    "-Ztls-model=initial-exec",
    "-Zmerge-functions=disabled",
    "-Csymbol-mangling-version=v0",
];

/// Profile settings, as cargo's environment variables have them.
const PROFILE: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
];

/// Where the library is.
#[derive(Debug)]
pub struct Library {
    directory: PathBuf,
}

/// The callbacks and the task library.
const EXPORTED_NAMES: &str = "{ __tsan_*; rosser_*; };\n";

impl Library {
    /// A list for the linker, among the libraries.
    pub const EXPORTED: &str = "exported";

    /// Finds the library, or builds it.
    pub fn prepare(terminal: Terminal) -> Result<Self> {
        let toolchain = Toolchain::new(&CargoConfig::read(&[]))?;
        let announce = || {
            let release = &toolchain.release;
            terminal.status(
                "Building",
                &format!("Rosser's library for C, with rustc {release} (once per toolchain)"),
            );
        };
        let name = format!("c-{}", key(&toolchain));
        let cached = cache::obtain(&name, announce, |work| build(&toolchain, work))?;
        Ok(Self { directory: cached.directory })
    }

    /// The directory of headers.
    pub fn headers(&self) -> PathBuf {
        self.directory.join("include")
    }

    /// The directory of libraries.
    pub fn libraries(&self) -> PathBuf {
        self.directory.join("lib")
    }
}

/// The source files: directory of `sources/`, path in it, text.
fn sources() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CRATES.into_iter().chain([WORKSPACE]).flat_map(|directory| {
        sources::of(directory).map(move |(path, text)| (directory, path, text))
    })
}

fn key(toolchain: &Toolchain) -> String {
    let mut hasher = DefaultHasher::new();
    sources().for_each(|file| file.hash(&mut hasher));
    (ROOT, FLAGS, PROFILE, EXPORTED_NAMES, &toolchain.verbose_version).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Builds it all, and says what of it is to be kept.
fn build(toolchain: &Toolchain, work: &Path) -> Result<PathBuf> {
    let result = work.join("result");
    for (directory, file, text) in sources() {
        if file.starts_with("include/") {
            cache::write(&result.join(file), text)?;
            continue;
        }
        let file = if file == MANIFEST { "Cargo.toml" } else { file };
        if directory == WORKSPACE {
            cache::write(&work.join(file), &with_these_members(text))?;
        } else {
            cache::write(&work.join("crates").join(directory).join(file), text)?;
        }
    }
    for (path, text) in ROOT {
        cache::write(&work.join(path), text)?;
    }
    compile(toolchain, work)?;
    let made = work.join("target/release/librosser_checked.a");
    let kept = result.join("lib/librosser_checked.a");
    // An archive without members.
    cache::write(&result.join("lib/libtsan.a"), "!<arch>\n")?;
    cache::write(&result.join("lib").join(Library::EXPORTED), EXPORTED_NAMES)?;
    fs::rename(&made, &kept).map_err(|error| Error::file("create", &kept, &error))?;
    Ok(result)
}

/// The manifest of a workspace of nothing but what is written here.
fn with_these_members(manifest: &str) -> String {
    let lines = manifest.lines().map(|line| match line.split_once(" = ") {
        Some(("members", _)) => "members = [\"crates/*\"]",
        _ => line,
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn compile(toolchain: &Toolchain, work: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command
        .args(["build", "--release", "--quiet", "--package", "rosser-checked", "--manifest-path"])
        .arg(work.join("Cargo.toml"))
        .current_dir(work)
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"))
        .env("RUSTC", &toolchain.rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTC_WRAPPER")
        .envs(PROFILE)
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| Error::file("run", Path::new(&cargo), &error))?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(Error::usage(format!("the library for C cannot be built:\n{}", why.trim())))
}
