//! The trait behind which every detector stands, and the constructs each admits.

use crate::event::{Access, Event};
use crate::findings::Findings;
use crate::ids::{LocId, SiteId};
use crate::registry::DetectorKind;

/// A race detector: told of an execution event by event, it collects the conflicts between
/// logically parallel accesses.
pub trait Detector {
    /// Which algorithm this is.
    fn kind(&self) -> DetectorKind;

    /// The current task did something that ends its step.
    fn event(&mut self, event: Event);

    /// What the last event has done that is outside the detector's class, if that shows only when a program
    /// runs. The detector has ignored the event: its answers hold for the same run without it.
    fn refused(&mut self) -> Option<Construct> {
        None
    }

    /// The current task touched a location.
    fn access(&mut self, location: LocId, access: Access, site: SiteId);

    /// What was found so far.
    fn findings(&self) -> &Findings;

    /// What the run cost the algorithm, as named counts for `--stats`.
    fn stats(&self) -> Vec<(&'static str, u64)>;
}

/// Something that some detectors admit in a program and others do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Construct {
    /// `spawn` and `sync`; in Rust `join`, and scopes in which only their owner spawns.
    SpawnSync,
    /// `async`: a task that is joined further out than by the task that has started it.
    Async,
    /// `finish`, `begin_finish` and `end_finish`.
    Finish,
    /// `isolated`.
    Isolated,
    /// `accumulate`; in Rust atomic updates.
    Accumulate,
    /// `new_promise`, `set` and `get`.
    Promise,
    /// `future` and its `get`.
    Future,
    /// `new_semaphore`, `P` and `V`.
    Semaphore,
    /// A future that is got more than once, or by a task that does not follow what its creator did next.
    Unstructured,
    /// A task that joins a scope further out than the innermost.
    OuterScope,
    /// Memory that an allocator of the program's own gives out.
    OwnAllocator,
}

impl Construct {
    /// Every construct.
    pub const ALL: [Self; 11] = [
        Self::SpawnSync,
        Self::Async,
        Self::Finish,
        Self::Isolated,
        Self::Accumulate,
        Self::Promise,
        Self::Future,
        Self::Semaphore,
        Self::Unstructured,
        Self::OuterScope,
        Self::OwnAllocator,
    ];

    /// Those that are written down as such in the model language.
    pub const WRITTEN: [Self; 8] = [
        Self::SpawnSync,
        Self::Async,
        Self::Finish,
        Self::Isolated,
        Self::Accumulate,
        Self::Promise,
        Self::Future,
        Self::Semaphore,
    ];

    /// Those for which a run of a program can be stopped, in the order of their numbers in the run file, from 1.
    pub const REFUSED: [Self; 6] = [
        Self::Async,
        Self::OuterScope,
        Self::Promise,
        Self::Isolated,
        Self::OwnAllocator,
        Self::Unstructured,
    ];

    /// The construct's name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpawnSync => "spawn",
            Self::Async => "async",
            Self::Finish => "finish",
            Self::Isolated => "isolated",
            Self::Accumulate => "accumulate",
            Self::Promise => "promise",
            Self::Future => "future",
            Self::Semaphore => "semaphore",
            Self::Unstructured => "unstructured",
            Self::OuterScope => "outer-scope",
            Self::OwnAllocator => "own-allocator",
        }
    }

    /// What it is in a program, as a message says it.
    pub fn in_programs(self) -> &'static str {
        match self {
            Self::Async => "tasks that are joined further out than by the task that started them",
            Self::OuterScope => "tasks that join a scope further out than the innermost",
            Self::Promise => "promises and futures",
            Self::Isolated => "isolated sections",
            Self::OwnAllocator => "programs with an allocator of their own",
            Self::Unstructured => "futures that are got by tasks that do not follow their creation",
            other => other.name(),
        }
    }

    /// The construct's number in the run file; 0 if no run is stopped for it.
    pub fn number(self) -> u64 {
        let position = Self::REFUSED.iter().position(|construct| *construct == self);
        position.map_or(0, |position| position as u64 + 1)
    }

    /// The construct with the given number in the run file.
    pub fn numbered(number: u64) -> Option<Self> {
        Self::REFUSED.get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
    }
}
