//! Hashes the sources of this crate: they decide what checked code looks like, so programs are built again when they
//! change.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    hash(Path::new("src"), &mut hasher)?;
    println!("cargo::rustc-env=ROSSER_INSTRUMENTS_WITH={:016x}", hasher.finish());
    Ok(())
}

/// Takes in all files under a path. The script runs again when one of them changes, comes or goes.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", path.display());
    if !path.is_dir() {
        hasher.write(&fs::read(path)?);
        return Ok(());
    }
    let mut entries: Vec<_> =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| hash(entry, hasher))
}
