//! An error that the user can do something about.

use std::fmt;
use std::io;
use std::path::Path;

use crate::exit;

/// A message and the exit code that goes with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, and where possible what to do.
    pub message: String,
    /// One of [`crate::exit`], or another program's code.
    pub code: u8,
}

/// What everything here returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Wrong usage: a bad argument, setting or file, or an unsupported toolchain.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: exit::USAGE }
    }

    /// Something could not be done to a file.
    pub fn file(doing: &str, path: &Path, source: &io::Error) -> Self {
        Self::usage(format!("cannot {doing} {}: {source}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
