//! What can go wrong between a run and its report, and what the user can do about it.

use std::fmt;
use std::path::PathBuf;

/// Why there is no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory cannot be read.
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The directory has no run file in it.
    NoRuns {
        /// The directory.
        directory: PathBuf,
    },
    /// Not a run file at all.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A run file that nothing was written into.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A run file of another version of Rosser.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// A run file that ends too early.
    Truncated {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        length: u64,
        /// How many its header promises.
        expected: u64,
    },
    /// A run in which no access was looked at.
    NotChecked {
        /// The file.
        path: PathBuf,
    },
    /// A run file that contradicts itself.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is impossible.
        what: String,
    },
    /// A line of a suppressions file that cannot be understood.
    Suppression {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A baseline file that cannot be understood.
    Baseline {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Error::NoRuns { directory } => write!(
                f,
                "no run file in {}: no checked program has been started yet; run one with \
                 `cargo rosser run` or `cargo rosser test`",
                directory.display()
            ),
            Error::Foreign { path } => write!(
                f,
                "{} is not a run file of Rosser; remove it or name another directory",
                path.display()
            ),
            Error::Empty { path } => write!(
                f,
                "nothing was written into {}: the disk was full, or the program was killed before it \
                 began; make room and check the program again",
                path.display()
            ),
            Error::Version { path, found } => {
                let (ours, path) = (rosser_abi::run_file::VERSION, path.display());
                let advice = if *found > ours {
                    "update cargo-rosser, or check the program again with this version"
                } else {
                    "check the program again with this version"
                };
                write!(f, "{path} has version {found}, this Rosser reads version {ours}; {advice}")
            }
            Error::Truncated { path, length, expected } => write!(
                f,
                "{} is truncated: it has {length} bytes and must have at least {expected}; was the \
                 disk full? Check the program again",
                path.display()
            ),
            Error::NotChecked { path } => write!(
                f,
                "{} is of a run that checked nothing: ROSSER_FOLLOW=tasks is for measurements; \
                 unset it",
                path.display()
            ),
            Error::Damaged { path, what } => {
                write!(f, "{} is damaged: {what}; check the program again", path.display())
            }
            Error::Suppression { path, line, what } => {
                write!(f, "{}:{line}: {what}", path.display())
            }
            Error::Baseline { path, what } => write!(
                f,
                "{} is not a baseline file: {what}; write a new one from the current findings",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}
