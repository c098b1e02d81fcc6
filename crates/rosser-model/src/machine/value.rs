//! Run-time values.

use std::fmt;

use rosser_detect::{PromiseId, SiteId};

use super::error::RuntimeError;

/// An allocation, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// A semaphore, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SemaphoreId(pub u32);

/// What a local or a shared location holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A reference to a shared variable.
    Cell(BlockId),
    /// A reference to a shared array.
    Array(BlockId),
    /// A promise.
    Promise(PromiseId),
    /// A future's handle, by the promise that its task sets.
    Future(PromiseId),
    /// A semaphore.
    Semaphore(SemaphoreId),
}

impl Value {
    /// The integer, or an error that says what is there instead.
    pub fn as_int(self, site: SiteId) -> Result<i64, RuntimeError> {
        match self {
            Self::Int(value) => Ok(value),
            other => Err(RuntimeError::NotAnInteger { found: other.describe(), site }),
        }
    }

    /// The kind of value, for error messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Int(_) => "an integer",
            Self::Cell(_) => "a shared variable",
            Self::Array(_) => "an array",
            Self::Promise(_) => "a promise",
            Self::Future(_) => "a future",
            Self::Semaphore(_) => "a semaphore",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            other => write!(f, "<{}>", other.describe()),
        }
    }
}
