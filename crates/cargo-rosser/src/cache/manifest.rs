//! The list of what is in a directory of the cache, by which one sees whether that is what was built.
//!
//! A line for each file: a hash, the size, the path. It is no seal against whoever can write there, which nobody
//! else can ([`owner`]); it tells what was cut off, overwritten or removed.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::owner;
use crate::error::{Error, Result};

/// The name of the list.
const NAME: &str = "manifest";

/// The hash of a directory's list, if the directory is as the list says and nobody else can write to it.
pub fn verified(directory: &Path) -> Option<String> {
    let written = fs::read(directory.join(NAME)).ok()?;
    let found = list(directory, |path| {
        fs::symlink_metadata(path).is_ok_and(|about| owner::is_trusted(&about))
    });
    found.filter(|found| found.as_bytes() == written).map(|found| hash(found.as_bytes()))
}

/// Writes the list of a directory, and all of it to the disk.
pub fn write(directory: &Path) -> Result<()> {
    let mut all = Vec::new();
    walk(directory, &mut all).map_err(|error| Error::file("read", directory, &error))?;
    all.push(directory.to_owned());
    for path in &all {
        let about =
            fs::symlink_metadata(path).map_err(|error| Error::file("read", path, &error))?;
        if !about.is_symlink() {
            owner::forbid_others(path, &about)?;
        }
    }
    let text = list(directory, |_| true)
        .ok_or_else(|| Error::usage(format!("cannot read {}", directory.display())))?;
    let path = directory.join(NAME);
    fs::write(&path, text).map_err(|error| Error::file("write", &path, &error))?;
    let about = fs::metadata(&path).map_err(|error| Error::file("read", &path, &error))?;
    owner::forbid_others(&path, &about)?;
    all.push(path);
    all.iter().filter(|path| !path.is_symlink()).try_for_each(|path| sync(path))
}

/// Has a file or the names in a directory written to the disk.
pub fn sync(path: &Path) -> Result<()> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| Error::file("write", path, &error))
}

/// The list of what is there now, if each passes.
fn list(directory: &Path, passes: impl Fn(&Path) -> bool) -> Option<String> {
    let mut paths = Vec::new();
    walk(directory, &mut paths).ok()?;
    if !passes(directory) {
        return None;
    }
    let mut text = String::new();
    for path in paths {
        let name = path.strip_prefix(directory).ok()?;
        if name == Path::new(NAME) {
            continue;
        }
        if !passes(&path) {
            return None;
        }
        let about = fs::symlink_metadata(&path).ok()?;
        let content = if about.is_symlink() {
            fs::read_link(&path).ok()?.as_os_str().as_bytes().to_vec()
        } else if about.is_file() {
            fs::read(&path).ok()?
        } else if about.is_dir() {
            Vec::new()
        } else {
            return None;
        };
        writeln!(text, "{} {} {}", hash(&content), content.len(), name.display()).ok()?;
    }
    Some(text)
}

/// All that is in a directory, in order.
fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let entries: std::io::Result<Vec<_>> = fs::read_dir(directory)?.collect();
    let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_directory = fs::symlink_metadata(&path)?.is_dir();
        found.push(path.clone());
        if is_directory {
            walk(&path, found)?;
        }
    }
    Ok(())
}

fn hash(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{verified, write};

    #[test]
    fn whatever_changes_is_noticed() {
        let directory = tempfile::tempdir().expect("there is a temporary directory");
        let inside = directory.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let file = inside.join("file");
        fs::write(&file, "content").unwrap();
        assert_eq!(verified(directory.path()), None);
        write(directory.path()).unwrap();
        let whole = verified(directory.path());
        assert!(whole.is_some());

        for change in [|| "conten".to_owned(), || "contenT".to_owned(), || String::new()] {
            fs::write(&file, change()).unwrap();
            assert_eq!(verified(directory.path()), None);
        }
        fs::write(&file, "content").unwrap();
        assert_eq!(verified(directory.path()), whole);

        fs::write(inside.join("more"), "").unwrap();
        assert_eq!(verified(directory.path()), None);
        fs::remove_file(inside.join("more")).unwrap();
        assert_eq!(verified(directory.path()), whole);

        // Others could change it at any time.
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(verified(directory.path()), None);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(verified(directory.path()), whole);
        fs::remove_file(&file).unwrap();
        assert_eq!(verified(directory.path()), None);
    }
}
