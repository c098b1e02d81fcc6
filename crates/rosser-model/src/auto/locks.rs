//! Which locks are held together.

use rosser_detect::hash::Map;
use rosser_detect::{LockId, TaskId};

/// A set of locks, by index; 0 is the empty one.
pub(super) type SetId = u32;

/// The lock sets of tasks. Costs nothing until a lock is acquired.
#[derive(Debug, Default)]
pub(super) struct LockSets {
    /// Every distinct set but the empty one, sorted.
    sets: Vec<Vec<LockId>>,
    index: Map<Vec<LockId>, SetId>,
    /// What each task holds, if anything.
    held: Map<TaskId, SetId>,
}

impl LockSets {
    /// What a task holds.
    #[inline]
    pub(super) fn held_by(&self, task: TaskId) -> SetId {
        if self.held.is_empty() { 0 } else { self.held.get(&task).copied().unwrap_or(0) }
    }

    /// The task holds the lock from now on.
    pub(super) fn acquire(&mut self, task: TaskId, lock: LockId) {
        let mut held = self.locks(self.held_by(task)).to_vec();
        if let Err(position) = held.binary_search(&lock) {
            held.insert(position, lock);
        }
        self.hold(task, held);
    }

    /// The task no longer holds the lock.
    pub(super) fn release(&mut self, task: TaskId, lock: LockId) {
        let mut held = self.locks(self.held_by(task)).to_vec();
        held.retain(|other| *other != lock);
        self.hold(task, held);
    }

    fn hold(&mut self, task: TaskId, held: Vec<LockId>) {
        if held.is_empty() {
            self.held.remove(&task);
            return;
        }
        let new = self.sets.len() as SetId + 1;
        let set = *self.index.entry(held).or_insert_with_key(|held| {
            self.sets.push(held.clone());
            new
        });
        self.held.insert(task, set);
    }

    fn locks(&self, set: SetId) -> &[LockId] {
        (set as usize).checked_sub(1).map_or(&[], |index| &self.sets[index])
    }

    /// Whether two sets have a lock in common.
    pub(super) fn have_common(&self, a: SetId, b: SetId) -> bool {
        self.locks(a).iter().any(|lock| self.locks(b).contains(lock))
    }
}
