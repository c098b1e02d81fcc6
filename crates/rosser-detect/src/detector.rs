//! The trait behind which every detector stands, and the constructs each admits.

use crate::event::{Access, Event};
use crate::findings::Findings;
use crate::ids::{LocId, SiteId};

/// A race detector: told of an execution event by event, it collects the conflicts between
/// logically parallel accesses.
pub trait Detector {
    /// Which algorithm this is.
    fn kind(&self) -> DetectorKind;

    /// The current task did something that ends its step.
    fn event(&mut self, event: Event);

    /// The current task touched a location.
    fn access(&mut self, location: LocId, access: Access, site: SiteId);

    /// What was found so far.
    fn findings(&self) -> &Findings;

    /// What the run cost the algorithm, as named counts for `--stats`.
    fn stats(&self) -> Vec<(&'static str, u64)>;
}

/// A construct that some detectors admit and others do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Construct {
    /// `spawn` and `sync`.
    SpawnSync,
    /// `async`.
    Async,
    /// `finish`, `begin_finish` and `end_finish`.
    Finish,
    /// `isolated`.
    Isolated,
    /// `accumulate`.
    Accumulate,
    /// `new_promise`, `set` and `get`.
    Promise,
    /// `future` and its `get`.
    Future,
    /// `new_semaphore`, `P` and `V`.
    Semaphore,
}

impl Construct {
    /// Every construct.
    pub const ALL: [Self; 8] = [
        Self::SpawnSync,
        Self::Async,
        Self::Finish,
        Self::Isolated,
        Self::Accumulate,
        Self::Promise,
        Self::Future,
        Self::Semaphore,
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
        }
    }
}

/// The detectors, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DetectorKind {
    /// The engine of checked programs, for everything.
    Auto,
    /// Feng and Leiserson 1997.
    SpBags,
    /// Raman et al. 2012.
    EspBags,
    /// Jin et al. 2023.
    Drdp,
    /// The explicit graph and its transitive closure.
    Oracle,
}

impl DetectorKind {
    /// Every detector, the most general first.
    pub const ALL: [Self; 5] = [Self::Auto, Self::SpBags, Self::EspBags, Self::Drdp, Self::Oracle];

    /// The detector's name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::SpBags => "sp-bags",
            Self::EspBags => "esp-bags",
            Self::Drdp => "drdp",
            Self::Oracle => "oracle",
        }
    }

    /// Whether programs with the given construct are in the detector's class.
    pub fn admits(self, construct: Construct) -> bool {
        use Construct::{Accumulate, Async, Finish, Future, Isolated, Promise, SpawnSync};
        match self {
            Self::Auto | Self::Oracle => true,
            Self::SpBags => matches!(construct, SpawnSync | Accumulate),
            Self::EspBags => matches!(construct, SpawnSync | Async | Finish | Isolated),
            Self::Drdp => matches!(construct, SpawnSync | Async | Finish | Promise | Future),
        }
    }
}
