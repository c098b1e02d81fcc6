//! What Rosser keeps between runs, whatever the project: things that take long to build, each in a directory
//! whose name is a hash of all that it is made of. Nothing ever has to be invalidated: whatever changes,
//! changes the name.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use crate::error::{Error, Result};

/// The directory of all of it.
pub fn root() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("ROSSER_CACHE_DIR")
        .or_else(|| variable("XDG_CACHE_HOME"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("rosser"))
        .ok_or_else(|| Error::usage("no place for the runtime: set ROSSER_CACHE_DIR"))
}

/// Makes a directory of the cache. It is built in a directory of our own, and what `build` then says is
/// renamed. If another process was faster, its directory has the same content and ours goes away.
pub fn make(directory: &Path, build: impl FnOnce(&Path) -> Result<PathBuf>) -> Result<()> {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = directory.with_file_name(format!("unfinished-{}-{name}", process::id()));
    let made = build(&unfinished).and_then(|kept| match fs::rename(kept, directory) {
        Err(error) if !directory.is_dir() => Err(Error::file("create", directory, &error)),
        _ => Ok(()),
    });
    if unfinished.is_dir() {
        let _ = fs::remove_dir_all(&unfinished);
    }
    made
}

/// Writes a file, and makes the directories it is in.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let parent = path.parent().expect("every file is in a directory");
    fs::create_dir_all(parent).map_err(|error| Error::file("create", parent, &error))?;
    fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
