//! Why a pool could not be built.

use std::error::Error;
use std::fmt;
use std::io;

/// Says why a pool could not be built.
#[derive(Debug)]
pub struct ThreadPoolBuildError {
    kind: ErrorKind,
}

#[derive(Debug)]
enum ErrorKind {
    GlobalPoolAlreadyInitialized,
    CurrentThreadAlreadyInPool,
    IOError(io::Error),
}

impl ThreadPoolBuildError {
    pub(crate) fn already_initialized() -> Self {
        ThreadPoolBuildError { kind: ErrorKind::GlobalPoolAlreadyInitialized }
    }

    pub(crate) fn already_in_pool() -> Self {
        ThreadPoolBuildError { kind: ErrorKind::CurrentThreadAlreadyInPool }
    }

    pub(crate) fn io(error: io::Error) -> Self {
        ThreadPoolBuildError { kind: ErrorKind::IOError(error) }
    }
}

impl ErrorKind {
    /// The message, word for word as programs may compare it; `None` for an error of the system.
    fn message(&self) -> Option<&'static str> {
        match self {
            ErrorKind::GlobalPoolAlreadyInitialized => {
                Some("The global thread pool has already been initialized.")
            }
            ErrorKind::CurrentThreadAlreadyInPool => {
                Some("The current thread is already part of another thread pool.")
            }
            ErrorKind::IOError(_) => None,
        }
    }
}

impl Error for ThreadPoolBuildError {
    #[allow(deprecated)]
    fn description(&self) -> &str {
        match &self.kind {
            ErrorKind::IOError(error) => error.description(),
            kind => kind.message().unwrap_or_default(),
        }
    }

    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            ErrorKind::IOError(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::IOError(error) => error.fmt(f),
            kind => kind.message().unwrap_or_default().fmt(f),
        }
    }
}
