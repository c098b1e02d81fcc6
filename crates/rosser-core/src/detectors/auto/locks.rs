//! Which locks each step holds. Acquiring and releasing end a step, so it is a property of steps.

use crate::hash::Map;

use crate::ids::{LockId, StepId, TaskId};

/// A set of locks, by index; 0 is the empty one.
type SetId = u32;

/// The lock sets of tasks and steps. Costs nothing until a lock is acquired.
#[derive(Debug, Default)]
pub(super) struct LockSets {
    /// Every distinct set, sorted; `sets[0]` is empty once anything is here.
    sets: Vec<Vec<LockId>>,
    index: Map<Vec<LockId>, SetId>,
    /// What each task holds now. Tasks beyond the end hold nothing.
    of_task: Vec<SetId>,
    /// What each step held. Steps beyond the end held nothing.
    of_step: Vec<SetId>,
}

impl LockSets {
    /// Notes what the task holds in the step that begins or goes on.
    #[inline]
    pub(super) fn begin_step(&mut self, step: StepId, task: TaskId) {
        let set = self.of_task.get(task.index()).copied().unwrap_or(0);
        if set != 0 {
            put(&mut self.of_step, step.index(), set);
        }
    }

    /// The task holds the lock from its next step on.
    pub(super) fn acquire(&mut self, task: TaskId, lock: LockId) {
        self.change(task, |held| {
            if let Err(position) = held.binary_search(&lock) {
                held.insert(position, lock);
            }
        });
    }

    /// The task no longer holds the lock from its next step on.
    pub(super) fn release(&mut self, task: TaskId, lock: LockId) {
        self.change(task, |held| held.retain(|other| *other != lock));
    }

    fn change(&mut self, task: TaskId, act: impl FnOnce(&mut Vec<LockId>)) {
        if self.sets.is_empty() {
            self.intern(Vec::new());
        }
        let old = self.of_task.get(task.index()).copied().unwrap_or(0);
        let mut held = self.sets[old as usize].clone();
        act(&mut held);
        let new = self.intern(held);
        put(&mut self.of_task, task.index(), new);
    }

    fn intern(&mut self, held: Vec<LockId>) -> SetId {
        if let Some(&set) = self.index.get(&held) {
            return set;
        }
        let set = self.sets.len() as SetId;
        self.sets.push(held.clone());
        self.index.insert(held, set);
        set
    }

    /// Whether two steps held a lock in common.
    pub(super) fn have_common(&self, a: StepId, b: StepId) -> bool {
        let held = |step: StepId| self.of_step.get(step.index()).copied().unwrap_or(0) as usize;
        let (a, b) = (held(a), held(b));
        a != 0 && b != 0 && self.sets[a].iter().any(|lock| self.sets[b].contains(lock))
    }
}

/// Writes into a vector that grows with zeros.
fn put(table: &mut Vec<SetId>, index: usize, set: SetId) {
    if table.len() <= index {
        table.resize(index + 1, 0);
    }
    table[index] = set;
}

#[cfg(test)]
mod tests {
    use super::LockSets;
    use crate::ids::{LockId, StepId, TaskId};

    #[test]
    fn only_a_common_lock_counts() {
        let mut locks = LockSets::default();
        let held_by = [vec![0, 1], vec![1], vec![2], vec![]];
        for (i, held) in held_by.iter().enumerate() {
            let (task, step) = (TaskId::from_index(i), StepId::from_index(i));
            for lock in held {
                locks.acquire(task, LockId(*lock));
            }
            locks.begin_step(step, task);
        }
        assert!(locks.have_common(StepId(0), StepId(1)));
        assert!(!locks.have_common(StepId(1), StepId(2)));
        assert!(!locks.have_common(StepId(0), StepId(3)));
        locks.release(TaskId(1), LockId(1));
        locks.begin_step(StepId(4), TaskId(1));
        assert!(!locks.have_common(StepId(0), StepId(4)));
    }
}
