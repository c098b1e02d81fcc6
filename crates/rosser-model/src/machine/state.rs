//! What decides how a machine can go on, as a hash.

use std::hash::{Hash, Hasher};

use super::Machine;

impl Machine<'_> {
    /// Feeds all that decides how the machine can go on: not what was printed, and of a semaphore only how often it was
    /// signalled.
    pub(crate) fn hash_state(&self, hasher: &mut impl Hasher) {
        self.memory.hash(hasher);
        for task in &self.tasks {
            (task.pc, &task.locals, task.joined_by, task.promise, task.ended).hash(hasher);
            (task.parent, task.ordinal, task.children, task.allocations).hash(hasher);
            for open in &task.open {
                (open.scope, open.opened).hash(hasher);
            }
        }
        for scope in &self.scopes {
            (scope.owner, scope.running).hash(hasher);
        }
        for promise in &self.promises {
            (promise.set_at.is_some(), promise.made_by).hash(hasher);
        }
        for semaphore in &self.semaphores {
            (semaphore.initial, semaphore.waits, semaphore.signals.len()).hash(hasher);
            semaphore.made_by.hash(hasher);
        }
        for block in &self.blocks {
            (block.base, block.length, block.made_by).hash(hasher);
        }
    }
}
