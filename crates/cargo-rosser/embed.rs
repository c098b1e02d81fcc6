//! For build scripts: embeds sources that are compiled on the user's machine.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Writes a table of paths and texts to `sources.rs` in the script's directory of results. Each part is
/// the name it has in the table, and the file or directory, seen from the package.
pub fn embed(parts: &[(&str, &str)]) -> io::Result<()> {
    let mut table = String::from("&[\n");
    for (name, part) in parts {
        let (root, files) = files(part)?;
        if files.is_empty() {
            println!("cargo::warning=the sources of {name} are missing: nothing can be checked");
        }
        for file in files {
            let inside = file.strip_prefix(&root).expect("it was found there");
            let path =
                if inside == Path::new("") { name.into() } else { Path::new(name).join(inside) };
            writeln!(table, "    ({:?}, include_str!({:?})),", path.display(), file.display())
                .expect("strings grow");
        }
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("sources.rs"), table)
}

/// A file or directory seen from the package: its whole path, and all files in it. The script runs again
/// when one of them changes.
pub fn files(part: &str) -> io::Result<(PathBuf, Vec<PathBuf>)> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(part);
    let mut files = Vec::new();
    if root.exists() {
        collect(&root, &mut files)?;
    }
    files.sort();
    for file in files.iter().chain([&root]) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok((root, files))
}

/// All files under a path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
