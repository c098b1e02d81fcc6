//! What Rosser keeps between runs, whatever the project: things that take long to build, each in a directory
//! whose name is a hash of all that it is made of.
//!
//! A directory is there whole or not at all: it is built under another name, written to the disk, and renamed.
//! Of several builders one builds, under a lock, and the others wait for it. With it goes a `manifest`
//! of its files. Before each use it is compared with what was built, and built again if it differs.
//!
//! Everything belongs to one user: code out of here is linked into programs, so nobody else may have written it.

mod lock;
mod manifest;
mod owner;

use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};
use lock::Lock;

pub use owner::make_private;

/// What the names of directories begin with that are being built, or are to be removed.
const UNFINISHED: &str = "unfinished-";
/// Directories of builders that were killed are removed after so long, if nobody builds the same again.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// A directory of the cache.
#[derive(Clone, Debug)]
pub struct Cached {
    /// The directory in the cache.
    pub directory: PathBuf,
    /// A hash of all its files.
    pub content: String,
}

/// The directory of all of it.
pub fn root() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("ROSSER_CACHE_DIR")
        .or_else(|| variable("XDG_CACHE_HOME"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .ok_or_else(|| Error::usage("no place for the runtime: set ROSSER_CACHE_DIR"))?;
    // Cargo calls compilers in other directories than this one.
    let root = std::path::absolute(cache.join("rosser"))
        .map_err(|error| Error::file("find", &cache, &error))?;
    Ok(root)
}

/// Finds a directory of the cache, or builds it. `build` is given an empty directory, and says which of it is to be
/// kept; `announce` is called before.
pub fn obtain(
    name: &str,
    announce: impl FnOnce(),
    build: impl FnOnce(&Path) -> Result<PathBuf>,
) -> Result<Cached> {
    let root = root()?;
    owner::prepare(&root)?;
    let directory = root.join(name);
    let found = || {
        let content = manifest::verified(&directory)?;
        Some(Cached { directory: directory.clone(), content })
    };
    if let Some(cached) = found() {
        return Ok(cached);
    }
    let lock = Lock::take(&root.join(format!("{name}.lock")))?;
    // Another builder may have had the lock until now.
    if let Some(cached) = found() {
        return Ok(cached);
    }
    remove_leftovers(&root, name, lock.is_held());
    announce();
    let unfinished = root.join(name_of_unfinished(name));
    make_private(&unfinished)?;
    let made = build(&unfinished).and_then(|kept| {
        manifest::write(&kept)?;
        // What is there is wrong.
        let wrong = root.join(name_of_unfinished(name));
        if fs::rename(&directory, &wrong).is_ok() {
            let _ = fs::remove_dir_all(&wrong);
        }
        match fs::rename(&kept, &directory) {
            // Without locks another builder may have been faster.
            Err(error) if manifest::verified(&directory).is_none() => {
                Err(Error::file("create", &directory, &error))
            }
            _ => manifest::sync(&root),
        }
    });
    if unfinished.is_dir() {
        let _ = fs::remove_dir_all(&unfinished);
    }
    made?;
    found().ok_or_else(|| {
        Error::usage(format!(
            "{} changes while it is used; set ROSSER_CACHE_DIR to a directory that only you write to",
            directory.display()
        ))
    })
}

/// A name that nobody else has: several builders may have the same process id, in containers.
fn name_of_unfinished(name: &str) -> String {
    let random = RandomState::new().hash_one(());
    format!("{UNFINISHED}{}-{random:016x}-{name}", process::id())
}

/// Removes what builders have left behind that were killed.
fn remove_leftovers(root: &Path, name: &str, is_locked: bool) {
    let is_old = |path: &Path| age(path).is_some_and(|age| age > LEFT_BEHIND);
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let (path, entry_name) = (entry.path(), entry.file_name());
        let entry_name = entry_name.to_string_lossy();
        let is_same = is_locked && entry_name.ends_with(&format!("-{name}"));
        if entry_name.starts_with(UNFINISHED) && (is_same || is_old(&path)) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// How long ago a file or directory was changed, if that can be told.
pub fn age(path: &Path) -> Option<Duration> {
    let modified = fs::metadata(path).and_then(|about| about.modified()).ok()?;
    SystemTime::now().duration_since(modified).ok()
}

/// Writes a file, and makes the directories it is in.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let parent = path.parent().expect("every file is in a directory");
    fs::create_dir_all(parent).map_err(|error| Error::file("create", parent, &error))?;
    fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
