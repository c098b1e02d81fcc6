//! Errors of a running program.

use rosser_detect::SiteId;

use crate::diagnostic::Diagnostic;
use crate::program::Program;

/// What went wrong while a program ran, and where.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)] // Fields are a place each, and what the message says of it.
pub enum RuntimeError {
    /// A promise was set a second time.
    SecondSet { first: SiteId, site: SiteId },
    /// A future's promise is set by its task alone.
    SetOfFuture { site: SiteId },
    /// `set` or `get` of something else.
    NotAPromise { found: &'static str, site: SiteId },
    /// `P` or `V` of something else.
    NotASemaphore { found: &'static str, site: SiteId },
    /// Load, store or accumulate on something that is not shared.
    NotShared { found: &'static str, site: SiteId },
    /// An index on a variable.
    NotAnArray { site: SiteId },
    /// An array without an index.
    MissingIndex { site: SiteId },
    /// Arithmetic or a condition on something else.
    NotAnInteger { found: &'static str, site: SiteId },
    /// An index beyond its array.
    OutOfRange { index: i64, length: u32, site: SiteId },
    /// An array of negative length.
    NegativeLength { length: i64, site: SiteId },
    /// A semaphore's count that is negative or absurdly large.
    BadCount { count: i64, site: SiteId },
    /// Too many shared cells.
    OutOfMemory { limit: usize, site: SiteId },
    /// `accumulate 0 … with /`.
    DivisionByZero { site: SiteId },
    /// `end_finish` without `begin_finish`.
    NothingToEnd { site: SiteId },
    /// A task or a finish block ends while a `begin_finish` in it is open.
    StillOpen { began: SiteId, site: SiteId },
    /// A sync inside a finish for spawns outside it.
    SyncAcrossFinish { spawned: SiteId, site: SiteId },
}

impl RuntimeError {
    /// Where it happened.
    pub fn site(&self) -> SiteId {
        match *self {
            Self::SecondSet { site, .. }
            | Self::SetOfFuture { site }
            | Self::NotAPromise { site, .. }
            | Self::NotASemaphore { site, .. }
            | Self::NotShared { site, .. }
            | Self::NotAnArray { site }
            | Self::MissingIndex { site }
            | Self::NotAnInteger { site, .. }
            | Self::OutOfRange { site, .. }
            | Self::NegativeLength { site, .. }
            | Self::BadCount { site, .. }
            | Self::OutOfMemory { site, .. }
            | Self::DivisionByZero { site }
            | Self::NothingToEnd { site }
            | Self::StillOpen { site, .. }
            | Self::SyncAcrossFinish { site, .. } => site,
        }
    }

    /// The error as a message about places in the source.
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        let new = |message: String| Diagnostic::new(message, program.span(self.site()));
        match self {
            Self::SecondSet { first, .. } => new("this promise is set a second time".into())
                .label("second set")
                .related(program.span(*first), "first set here")
                .help("a promise is single-assignment; only one task may set it"),
            Self::SetOfFuture { .. } => new("a future cannot be set".into())
                .label("this is a future")
                .help("a future is set by the end of its own task; use `new_promise`"),
            Self::NotAPromise { found, .. } => {
                new(format!("expected a promise or a future, found {found}")).label("not a promise")
            }
            Self::NotASemaphore { found, .. } => {
                new(format!("expected a semaphore, found {found}")).label("not a semaphore")
            }
            Self::NotShared { found, .. } => {
                new(format!("expected a shared variable, found {found}"))
                    .label("not a shared variable")
                    .help("allocate one with `x <- alloc` or `a <- array n`")
            }
            Self::NotAnArray { .. } => {
                new("a shared variable is not indexed".into()).label("not an array")
            }
            Self::MissingIndex { .. } => new("an array is accessed one element at a time".into())
                .label("an index is missing"),
            Self::NotAnInteger { found, .. } => {
                new(format!("expected an integer, found {found}")).label("not an integer")
            }
            Self::OutOfRange { index, length, .. } => {
                new(format!("index {index} is out of range for an array of length {length}"))
                    .label("out of range")
            }
            Self::NegativeLength { length, .. } => {
                new(format!("an array cannot have length {length}")).label("negative length")
            }
            Self::BadCount { count, .. } => {
                new(format!("a semaphore cannot start with count {count}")).label("bad count")
            }
            Self::OutOfMemory { limit, .. } => {
                new(format!("the program allocates more than {limit} shared cells"))
                    .label("this allocation is too much")
            }
            Self::DivisionByZero { .. } => new("division by zero".into()).label("divides by zero"),
            Self::NothingToEnd { .. } => new("`end_finish` without `begin_finish`".into())
                .label("ends nothing in this task")
                .help("every `end_finish` needs a `begin_finish` before it in the same task"),
            Self::StillOpen { began, .. } => new("`begin_finish` without `end_finish`".into())
                .label("still open here")
                .related(program.span(*began), "begun here")
                .help("end it in the same task, inside the same finish block"),
            Self::SyncAcrossFinish { spawned, .. } => {
                new("`sync` cannot wait for a spawn outside the finish around it".into())
                    .label("inside a finish that was opened after the spawn")
                    .related(program.span(*spawned), "spawned here")
                    .help("put the `sync` after the finish, or the `spawn` inside it")
            }
        }
    }
}
