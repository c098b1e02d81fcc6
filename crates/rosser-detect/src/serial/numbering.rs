//! The ids of a region: what each stands for, and which the present step has.

use crate::serial::log::{Id, Log, Site};

/// How many sites of the present step are remembered.
const SITES: usize = 256;

/// The ids of a region.
#[derive(Debug)]
pub struct Numbering {
    /// What the ids stand for.
    pub log: Log,
    /// Ids from here on are of tasks whose beginnings have their parents next to them.
    pub(crate) general_from: Id,
    /// The id that a site has in the present step, if it is not below the base.
    of_sites: [(Site, Id); SITES],
}

impl Numbering {
    pub(crate) fn new(log: &'static mut [u32]) -> Self {
        Self { log: Log::new(log), general_from: Id::MAX, of_sites: [(0, 0); SITES] }
    }

    /// The id that comes next.
    #[inline]
    pub(crate) fn next(&self) -> Id {
        self.log.next()
    }

    /// Starts ids over.
    pub(crate) fn restart(&mut self) {
        self.log.restart();
        self.forget_sites();
    }

    /// Ids have new numbers.
    pub(crate) fn forget_sites(&mut self) {
        self.of_sites = [(0, 0); SITES];
    }

    #[inline]
    fn slot(site: Site) -> usize {
        (site ^ site >> 8) as usize % SITES
    }

    /// The id of a site in the step whose ids begin at `base`, if it is remembered.
    #[inline]
    pub(crate) fn of_site(&self, site: Site, base: Id) -> Option<Id> {
        let (known_site, id) = self.of_sites[Self::slot(site)];
        (known_site == site && id >= base).then_some(id)
    }

    /// Remembers the id of a site in the present step.
    #[inline]
    pub(crate) fn set_of_site(&mut self, site: Site, id: Id) {
        self.of_sites[Self::slot(site)] = (site, id);
    }

    /// The beginning of the innermost task around a place in the log, of the part that was made in depth-first
    /// order from `region` on; 0 is the main task.
    pub(crate) fn task_around(&self, id: Id, region: Id) -> Id {
        self.log.tasks_of(id, region).next().map_or(0, |task| task.id)
    }

    /// The beginning of the parent of the task that begins at an id.
    pub(crate) fn parent_of(&self, begin: Id, region: Id) -> Id {
        if begin >= self.general_from {
            self.log.beginning(begin).1
        } else {
            self.task_around(begin - 1, region)
        }
    }
}
