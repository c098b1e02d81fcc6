//! What a detector found: classed, deduplicated, bounded.

use crate::hash::{Map, Set};

use crate::event::Access;
use crate::ids::{LocId, SiteId, TaskId};

/// How bad a conflict between two logically parallel accesses is. Ordered from mild to severe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// The accesses cannot overlap, but which comes first is up to the schedule.
    OrderDependent,
    /// A plain access is involved and nothing orders or excludes the other.
    DataRace,
}

impl Class {
    /// The class as it is written in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::OrderDependent => "order-dependent",
            Self::DataRace => "data-race",
        }
    }
}

/// What keeps the two accesses of an order-dependent conflict from overlapping.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exclusion {
    /// Nothing: the conflict is a data race.
    None,
    /// Both ran under a common lock or in `isolated` sections.
    CommonLock,
    /// Lock hand-over or a semaphore ordered them in this run.
    WeakOrder,
    /// Both are atomic, but do not commute.
    Atomic,
}

impl Exclusion {
    /// The class that follows.
    pub fn class(self) -> Class {
        if self == Self::None { Class::DataRace } else { Class::OrderDependent }
    }

    /// The exclusion as it is written in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::CommonLock => "common-lock",
            Self::WeakOrder => "weak-order",
            Self::Atomic => "atomic",
        }
    }
}

/// One side of a conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Where in the source.
    pub site: SiteId,
    /// What was done there.
    pub access: Access,
    /// Which task did it.
    pub task: TaskId,
}

/// Two conflicting accesses by logically parallel steps; `first` ran first in the checked run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Race {
    /// The location both touched.
    pub location: LocId,
    /// What keeps them from overlapping, if anything.
    pub exclusion: Exclusion,
    /// The earlier access.
    pub first: Place,
    /// The later access.
    pub second: Place,
}

impl Race {
    /// How bad it is.
    pub fn class(&self) -> Class {
        self.exclusion.class()
    }
}

/// How much a detector reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Each racy location once per class.
    #[default]
    Locations,
    /// Each distinct pair of places, for each location.
    Pairs,
    /// Each conflict, to be taken as soon as it is found.
    Conflicts,
}

/// How many races are kept in full; the rest are counted.
const KEPT: usize = 100_000;

/// The collected races of one run.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    detail: Detail,
    races: Vec<Race>,
    worst: Map<LocId, Class>,
    pairs: Set<(LocId, SiteId, SiteId, Class)>,
    conflicts: u64,
    omitted: u64,
}

impl Findings {
    /// An empty collection that will report at the given level of detail.
    pub fn new(detail: Detail) -> Self {
        Self { detail, ..Self::default() }
    }

    /// Takes note of a conflict; returns whether it is new at this level of detail.
    #[cold]
    pub fn report(&mut self, race: Race) -> bool {
        self.conflicts += 1;
        if self.detail == Detail::Conflicts {
            self.races.push(race);
            return true;
        }
        let class = race.class();
        let worse = match self.worst.get_mut(&race.location) {
            Some(worst) if *worst >= class => false,
            Some(worst) => {
                *worst = class;
                true
            }
            None => {
                self.worst.insert(race.location, class);
                true
            }
        };
        let new = match self.detail {
            Detail::Locations | Detail::Conflicts => worse,
            Detail::Pairs if self.pairs.len() < KEPT => {
                self.pairs.insert((race.location, race.first.site, race.second.site, class))
            }
            Detail::Pairs => {
                self.omitted += 1;
                false
            }
        };
        if new {
            if self.races.len() < KEPT {
                self.races.push(race);
            } else {
                self.omitted += 1;
            }
        }
        new
    }

    /// The races kept, in the order found.
    pub fn races(&self) -> &[Race] {
        &self.races
    }

    /// Hands out the races kept; they are kept no longer.
    pub(crate) fn take(&mut self, races: &mut Vec<Race>) {
        races.append(&mut self.races);
    }

    /// The worst class found at each racy location.
    pub fn worst(&self) -> &Map<LocId, Class> {
        &self.worst
    }

    /// How many conflicting accesses were met in all, repeated ones too.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// How many races were counted but not kept.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// The level of detail asked for.
    pub fn detail(&self) -> Detail {
        self.detail
    }
}
