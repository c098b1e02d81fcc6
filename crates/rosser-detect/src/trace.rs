//! A recorded execution, to be replayed through any number of detectors.

use crate::detector::Detector;
use crate::event::{Access, Event};
use crate::ids::{LocId, SiteId};

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A task event.
    Event(Event),
    /// A memory access.
    Access(LocId, Access, SiteId),
}

/// A sequence of task events and accesses, in the order in which they were executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    items: Vec<Item>,
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a task event.
    pub fn event(&mut self, event: Event) {
        self.items.push(Item::Event(event));
    }

    /// Appends an access.
    pub fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        self.items.push(Item::Access(location, access, site));
    }

    /// What happened, in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Forgets everything, keeping the memory for the next execution.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Tells a detector the whole execution.
    pub fn replay<D: Detector + ?Sized>(&self, detector: &mut D) {
        for item in &self.items {
            match *item {
                Item::Event(event) => detector.event(event),
                Item::Access(location, access, site) => detector.access(location, access, site),
            }
        }
    }
}
