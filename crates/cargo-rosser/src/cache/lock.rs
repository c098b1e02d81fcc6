//! A lock that ends with the process that holds it, however that ends.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::error::{Error, Result};

/// A lock on a file, as long as this lives.
pub struct Lock {
    held: Option<File>,
}

impl Lock {
    /// Waits for it. Some network file systems have no locks; then it is not held.
    pub fn take(path: &Path) -> Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(|error| Error::file("create", path, &error))?;
        loop {
            match flock(&file, FlockOperation::LockExclusive) {
                Ok(()) => return Ok(Self { held: Some(file) }),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Ok(Self { held: None }),
            }
        }
    }

    /// Whether it is held.
    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }
}
