//! A place in somebody's source, to be named in messages.

use std::ffi::CStr;
use std::fmt;
use std::panic::Location;

/// Where something is done: in Rust, as the compiler knows it, or in C, as the program tells it.
#[derive(Clone, Copy, Debug)]
pub struct Place(Source);

#[derive(Clone, Copy, Debug)]
enum Source {
    Rust(&'static Location<'static>),
    C { file: &'static CStr, line: u32 },
}

impl Place {
    /// A place in a C program: its `__FILE__` and `__LINE__`.
    pub const fn in_c(file: &'static CStr, line: u32) -> Self {
        Self(Source::C { file, line })
    }
}

impl From<&'static Location<'static>> for Place {
    fn from(location: &'static Location<'static>) -> Self {
        Self(Source::Rust(location))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Source::Rust(location) => location.fmt(f),
            Source::C { file, line } => write!(f, "{}:{line}", file.to_string_lossy()),
        }
    }
}
