//! Embeds the sources under `sources/`: the runtime, the shim and the task library are compiled on the user's machine
//! by the user's compiler, because an rlib works with no other. It also hashes the sources that decide how programs
//! are built, so that a change of them makes every program be built again.
//!
//! `sources/` holds links to the other crates of this repository. `cargo package` follows them, so the published
//! package has the files themselves.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What must be there, seen from `sources/`: a link that leads nowhere ends the build.
const PARTS: [&str; 14] = [
    "rayon-core/src",
    "rosser/manifest.toml",
    "rosser/src",
    "rosser-c/include",
    "rosser-c/manifest.toml",
    "rosser-c/src",
    "rosser-detect/manifest.toml",
    "rosser-detect/src",
    "rosser-abi/manifest.toml",
    "rosser-abi/src",
    "rosser-runtime/manifest.toml",
    "rosser-runtime/src",
    "workspace/Cargo.lock",
    "workspace/manifest.toml",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut hasher = DefaultHasher::new();
    for part in ["src/c_compiler", "src/wrapper"] {
        for file in files(&package.join(part))? {
            hasher.write(&fs::read(file)?);
        }
    }
    println!("cargo::rustc-env=ROSSER_BUILDS_WITH={:016x}", hasher.finish());
    embed(&package.join("sources"))
}

/// Writes a table of paths, seen from `sources`, and texts to `sources.rs` in the script's directory of results.
fn embed(sources: &Path) -> io::Result<()> {
    let mut table = String::from("&[\n");
    for part in PARTS {
        for file in files(&sources.join(part))? {
            let path = file.strip_prefix(sources).expect("it was found there");
            writeln!(table, "    ({:?}, include_str!({:?})),", path.display(), file.display())
                .expect("strings grow");
        }
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("sources.rs"), table)
}

/// The file of that name, or all files in the directory, sorted. It is an error if there is none. The script runs
/// again when one of them changes, comes or goes.
fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    if files.is_empty() {
        return Err(missing(root, "no file in it"));
    }
    files.sort();
    Ok(files)
}

/// Adds all files under a path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    // Of a link, the time of what it leads to counts.
    let real = path.canonicalize().map_err(|error| missing(path, error))?;
    println!("cargo::rerun-if-changed={}", real.display());
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

fn missing(path: &Path, why: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!(
        "sources are missing at {}: {why}. Without them `cargo rosser` could check nothing; see CONTRIBUTING.md, \
         \"Packages\"",
        path.display()
    ))
}
