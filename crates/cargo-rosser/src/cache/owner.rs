//! Whose directories are used: one's own, or those of the system, that nobody else can write to.

use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::process::geteuid;

use crate::error::{Error, Result};

/// Bits of a mode: others may write.
const OTHERS_WRITE: u32 = 0o022;
/// What others may not.
const OTHERS: u32 = 0o077;

/// Makes a directory that only this user can use, and those that it is in.
pub fn make_private(directory: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|error| Error::file("create", directory, &error))
}

/// Makes the cache, or sees to it that nobody else can put something there.
pub fn prepare(root: &Path) -> Result<()> {
    make_private(root)?;
    let about = fs::symlink_metadata(root).map_err(|error| Error::file("read", root, &error))?;
    // A link leads to a directory that is looked at in turn.
    let about = if about.is_symlink() && is_ours(&about) {
        fs::metadata(root).map_err(|error| Error::file("read", root, &error))?
    } else {
        about
    };
    if !is_ours(&about) {
        return Err(Error::usage(format!(
            "the cache {} belongs to another user, who could put anything into checked programs; set \
             ROSSER_CACHE_DIR to a directory of your own",
            root.display()
        )));
    }
    if about.mode() & OTHERS_WRITE != 0 {
        forbid_others(root, &about)?;
    }
    Ok(())
}

/// Whether a file or directory is this user's or the system's.
fn is_ours(about: &Metadata) -> bool {
    about.uid() == geteuid().as_raw() || about.uid() == 0
}

/// Whether what is in a file can be written by this user and the system only.
pub fn is_trusted(about: &Metadata) -> bool {
    is_ours(about) && (about.is_symlink() || about.mode() & OTHERS_WRITE == 0)
}

/// Takes all rights to a file or directory from others.
pub fn forbid_others(path: &Path, about: &Metadata) -> Result<()> {
    fs::set_permissions(path, Permissions::from_mode(about.mode() & 0o7777 & !OTHERS))
        .map_err(|error| Error::file("change the rights to", path, &error))
}
