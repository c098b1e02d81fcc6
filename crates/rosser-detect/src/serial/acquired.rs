//! What the present step has acquired, and what is there for others to acquire.

use crate::serial::log::{Id, Site};
use crate::serial::running::Scope;
use crate::serial::weak::{Found, Knowledge, Node, Via, Weak};
use crate::storage::Exhausted;

/// The knowledge of the present step, and of what is not the memory of the program.
#[derive(Debug)]
pub struct Acquired {
    pub(crate) graph: Weak,
    /// What the current task has acquired.
    pub known: Knowledge,
    /// What relaxed loads of the present step would give to an acquire fence.
    pub(crate) at_fence: Knowledge,
    /// What a release fence of the present step gave to later relaxed stores.
    pub(crate) fence_released: Knowledge,
    /// What tasks have left to others on the same worker.
    pub(crate) worker: Knowledge,
    /// What the last isolated section left to the next.
    pub(crate) isolated: Knowledge,
}

impl Acquired {
    pub(crate) fn new(
        knowledge: &'static mut [Node],
        to_visit: &'static mut [(Knowledge, u32)],
        found: &'static mut [Found],
    ) -> Self {
        Self {
            graph: Weak::new(knowledge, to_visit, found),
            known: 0,
            at_fence: 0,
            fence_released: 0,
            worker: 0,
            isolated: 0,
        }
    }

    /// Forgets everything but what fences of the present step have to do with.
    pub(crate) fn clear(&mut self) {
        self.graph.clear();
        (self.known, self.worker, self.isolated) = (0, 0, 0);
    }

    /// A step begins, after a task event: no fence of it has been seen.
    #[inline]
    pub(crate) fn forget_fences(&mut self) {
        self.at_fence = 0;
        self.fence_released = 0;
    }

    /// Whether the current task, whose parent knew `parent_knew`, has acquired anything or met a fence.
    #[inline]
    pub(crate) fn is_involved(&self, parent_knew: Knowledge) -> bool {
        self.known != parent_knew || self.at_fence | self.fence_released != 0
    }

    /// The current task learns what others knew that it has joined or got.
    #[inline]
    pub(crate) fn join(&mut self, others: Knowledge) -> Result<(), Exhausted> {
        self.known = self.graph.both(self.known, others)?;
        Ok(())
    }

    /// What the current task knows is there for whoever waits for the scope.
    #[inline]
    pub(crate) fn leave_to(&mut self, scope: &mut Scope) -> Result<(), Exhausted> {
        scope.known = self.graph.both(scope.known, self.known)?;
        Ok(())
    }

    /// What a relaxed load has met is there for an acquire fence of the present step.
    pub(crate) fn leave_to_fence(&mut self, released: Knowledge) -> Result<(), Exhausted> {
        self.at_fence = self.graph.both(self.at_fence, released)?;
        Ok(())
    }

    /// What a task knew at the end of its isolated section is there for the next one.
    pub(crate) fn leave_to_isolated(&mut self, knew: Knowledge) -> Result<(), Exhausted> {
        self.isolated = self.graph.both(knew, self.isolated)?;
        Ok(())
    }

    /// What a task knew is there for others on the same worker.
    pub(crate) fn leave_on_worker(&mut self, knew: Knowledge) -> Result<(), Exhausted> {
        self.worker = self.graph.both(knew, self.worker)?;
        Ok(())
    }

    /// The current task acquires what was released.
    pub(crate) fn acquire(
        &mut self,
        released: Knowledge,
        task: Id,
        site: Site,
        via: Via,
    ) -> Result<(), Exhausted> {
        self.known = self.graph.acquire(self.known, released, task, site, via)?;
        Ok(())
    }
}
