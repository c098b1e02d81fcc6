//! What SP-bags and ESP-bags share: S- and P-bags over disjoint sets, and a remembered accessor.

use crate::event::Access;
use crate::findings::Place;
use crate::ids::{SiteId, TaskId};
use crate::papers::disjoint_set::DisjointSets;

/// An empty bag, or nobody.
const NONE: u32 = u32::MAX;

/// A bag that may be empty, named by any of its tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bag(u32);

impl Bag {
    /// The bag with nothing in it.
    pub(super) const EMPTY: Self = Self(NONE);
}

/// All tasks, each in exactly one S-bag or P-bag.
#[derive(Debug, Default)]
pub(super) struct Bags {
    sets: DisjointSets,
    /// For a set's representative: whether the set is a P-bag.
    parallel: Vec<bool>,
}

impl Bags {
    /// Puts a new task into an S-bag of its own. Tasks arrive in order of their ids.
    pub(super) fn new_task(&mut self, task: TaskId) -> Bag {
        let element = self.sets.make_set();
        debug_assert_eq!(element, task.0, "tasks are created in order of their ids");
        self.parallel.push(false);
        Bag(element)
    }

    /// The union of two bags, as an S-bag.
    pub(super) fn union_serial(&mut self, a: Bag, b: Bag) -> Bag {
        self.union(a, b, false)
    }

    /// The union of two bags, as a P-bag.
    pub(super) fn union_parallel(&mut self, a: Bag, b: Bag) -> Bag {
        self.union(a, b, true)
    }

    fn union(&mut self, a: Bag, b: Bag, parallel: bool) -> Bag {
        let root = match (a.0, b.0) {
            (NONE, NONE) => return Bag::EMPTY,
            (one, NONE) | (NONE, one) => self.sets.find(one),
            (one, other) => self.sets.union(one, other),
        };
        self.parallel[root as usize] = parallel;
        Bag(root)
    }

    /// How many tasks there are.
    pub(super) fn len(&self) -> usize {
        self.parallel.len()
    }
}

/// A task that accessed a location, and where; or nobody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessor {
    task: u32,
    site: SiteId,
}

impl Default for Accessor {
    fn default() -> Self {
        Self::NOBODY
    }
}

impl Accessor {
    /// Nobody.
    pub(super) const NOBODY: Self = Self { task: NONE, site: SiteId(0) };

    /// The given task, at the given place.
    #[inline]
    pub(super) fn new(task: TaskId, site: SiteId) -> Self {
        Self { task: task.0, site }
    }

    /// Whether there is an accessor and it is in a P-bag: it runs in parallel with the current
    /// task.
    #[inline]
    pub(super) fn is_parallel(self, bags: &mut Bags) -> bool {
        self.task != NONE && bags.parallel[bags.sets.find(self.task) as usize]
    }

    /// Replaces the accessor unless it is in a P-bag. By pseudotransitivity whatever runs in
    /// parallel with the newcomer runs in parallel with the one that stays.
    #[inline]
    pub(super) fn replace_if_serial(&mut self, new: Self, bags: &mut Bags) {
        if !self.is_parallel(bags) {
            *self = new;
        }
    }

    /// The accessor as one side of a race.
    pub(super) fn place(self, access: Access) -> Place {
        Place { site: self.site, access, task: TaskId(self.task) }
    }
}
