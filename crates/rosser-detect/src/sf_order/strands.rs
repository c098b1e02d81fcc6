//! Strands: the parts of tasks between their forks and joins, in two orders.
//!
//! English order has a child before what follows its fork, Hebrew order after it; the strand that
//! follows a scope is after all of the scope in both, and has its place from the beginning. One strand precedes
//! another through the tree exactly if it comes first in both (Nudler and Rudolph). Both places are settled
//! when a strand is made, so tasks may be run in any order.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::storage::Exhausted;

use crate::sf_order::order::{ListStorage, OrderList, Position};
use crate::sf_order::spin::Spin;

/// A strand. The first one is 0.
pub type Strand = u32;

/// A task, by number; the main task is 0.
pub type Task = u32;

/// The memory of strands: each as long as there can be strands.
#[derive(Clone, Copy, Debug)]
pub struct StrandStorage {
    /// For English order.
    pub english: ListStorage,
    /// For Hebrew order.
    pub hebrew: ListStorage,
    /// By strand: the task that it is of.
    pub tasks: &'static [AtomicU32],
}

/// All strands.
#[derive(Debug)]
pub struct Strands {
    lock: Spin,
    english: OrderList,
    hebrew: OrderList,
    tasks: &'static [AtomicU32],
    used: AtomicU32,
}

/// Where a strand is in both orders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    english: Position,
    hebrew: Position,
}

/// Which orders have one strand before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Before {
    /// True if it comes first in English order.
    pub english: bool,
    /// True if it comes first in Hebrew order.
    pub hebrew: bool,
}

impl Before {
    /// Whether the strand precedes the other through the tree.
    #[inline]
    pub fn precedes(self) -> bool {
        self.english && self.hebrew
    }
}

impl Strands {
    /// The first strand only.
    pub fn new(storage: StrandStorage) -> Self {
        let StrandStorage { english, hebrew, tasks } = storage;
        let (english, hebrew) = (OrderList::new(english), OrderList::new(hebrew));
        Self { lock: Spin::default(), english, hebrew, tasks, used: AtomicU32::new(1) }
    }

    /// Forgets all but the first. Nobody may use any meanwhile.
    pub fn clear(&self) {
        self.english.clear();
        self.hebrew.clear();
        self.used.store(1, Relaxed);
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        // Relaxed: a count for tables.
        self.used.load(Relaxed)
    }

    /// Whether there is but the first.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// How many labels were changed, as a measure of what insertions cost.
    pub fn relabelled(&self) -> u64 {
        self.english.relabelled() + self.hebrew.relabelled()
    }

    /// Whose a strand is.
    #[inline]
    pub fn task(&self, strand: Strand) -> Task {
        self.tasks[strand as usize].load(Relaxed)
    }

    /// A new strand of a task. The caller has the lock.
    fn add(&self, task: Task) -> Result<Strand, Exhausted> {
        // Relaxed: the count is changed under the lock, and the task comes with the strand's number (S1).
        let strand = self.used.load(Relaxed);
        self.tasks.get(strand as usize).ok_or(Exhausted)?.store(task, Relaxed);
        self.used.store(strand + 1, Relaxed);
        Ok(strand)
    }

    /// A scope begins in a strand of a task. Returns the strand that will follow it.
    pub fn scope(&self, at: Strand, task: Task) -> Result<Strand, Exhausted> {
        let _held = self.lock.lock();
        self.scope_locked(at, task)
    }

    fn scope_locked(&self, at: Strand, task: Task) -> Result<Strand, Exhausted> {
        let join = self.add(task)?;
        self.english.insert_after(at, join)?;
        self.hebrew.insert_after(at, join)?;
        Ok(join)
    }

    /// A task forks a child. Returns the child's strand and the one that follows in the task itself.
    pub fn fork(&self, at: Strand, task: Task, child: Task) -> Result<(Strand, Strand), Exhausted> {
        let _held = self.lock.lock();
        let (child, next) = (self.add(child)?, self.add(task)?);
        self.english.insert_after(at, child)?;
        self.english.insert_after(child, next)?;
        self.hebrew.insert_after(at, next)?;
        self.hebrew.insert_after(next, child)?;
        Ok((child, next))
    }

    /// A task forks two children and waits for both. Returns their strands and the one that follows.
    pub fn fork_two(
        &self,
        at: Strand,
        task: Task,
        children: [Task; 2],
    ) -> Result<([Strand; 2], Strand), Exhausted> {
        let _held = self.lock.lock();
        let join = self.scope_locked(at, task)?;
        let (a, b) = (self.add(children[0])?, self.add(children[1])?);
        self.english.insert_after(at, a)?;
        self.english.insert_after(a, b)?;
        self.hebrew.insert_after(at, b)?;
        self.hebrew.insert_after(b, a)?;
        Ok(([a, b], join))
    }

    /// Where a strand is.
    pub fn place(&self, strand: Strand) -> Place {
        Place { english: self.english.position(strand), hebrew: self.hebrew.position(strand) }
    }

    /// Which orders have a strand before that of a place, which is brought up to date.
    #[inline]
    pub fn before(&self, strand: Strand, place: &mut Place) -> Before {
        Before {
            english: self.english.is_before(strand, &mut place.english),
            hebrew: self.hebrew.is_before(strand, &mut place.hebrew),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::{StrandStorage, Strands};
    use crate::sf_order::order::tests::storage;

    fn strands(len: usize) -> Strands {
        let tasks = (0..len).map(|_| AtomicU32::new(0)).collect::<Vec<_>>().leak();
        Strands::new(StrandStorage { english: storage(len), hebrew: storage(len), tasks })
    }

    fn precedes(strands: &Strands, a: u32, b: u32) -> bool {
        strands.before(a, &mut strands.place(b)).precedes()
    }

    #[test]
    fn children_precede_what_follows_their_scope_and_nothing_before_it() {
        let strands = strands(100);
        let after = strands.scope(0, 0).unwrap();
        let (first, next) = strands.fork(0, 0, 1).unwrap();
        let ([a, b], joined) = strands.fork_two(first, 1, [2, 3]).unwrap();
        let (second, last) = strands.fork(next, 0, 4).unwrap();
        let parallel = [(a, b), (a, next), (joined, second), (first, last), (b, second)];
        for (one, other) in parallel {
            assert!(!precedes(&strands, one, other) && !precedes(&strands, other, one));
        }
        let ordered = [(0, first), (first, a), (a, joined), (b, joined), (next, second)];
        for (one, other) in ordered {
            assert!(precedes(&strands, one, other) && !precedes(&strands, other, one));
        }
        for strand in [0, first, next, a, b, joined, second, last] {
            assert!(precedes(&strands, strand, after));
        }
    }

    #[test]
    fn relabelling_is_rare_in_common_shapes() {
        const COUNT: u32 = 1 << 18;
        // Halves of halves.
        let halves = strands(3 * COUNT as usize + 4);
        let mut open = vec![(0, COUNT)];
        while let Some((strand, count)) = open.pop() {
            if count > 1 {
                let ([a, b], _) = halves.fork_two(strand, 0, [0, 0]).unwrap();
                open.extend([(b, count / 2), (a, count / 2)]);
            }
        }
        // One after the other, in one scope.
        let flat = strands(3 * COUNT as usize + 4);
        let mut strand = flat.scope(0, 0).map(|_| 0).unwrap();
        for _ in 0..COUNT {
            (_, strand) = flat.fork(strand, 0, 0).unwrap();
        }
        // One join after the other.
        let chain = strands(3 * COUNT as usize + 4);
        let mut strand = 0;
        for _ in 0..COUNT {
            (_, strand) = chain.fork_two(strand, 0, [0, 0]).unwrap();
        }
        for (name, strands) in [("halves", halves), ("flat", flat), ("chain", chain)] {
            let relabelled = strands.relabelled();
            assert!(relabelled < 40 * u64::from(COUNT), "{name}: {relabelled} labels changed");
        }
    }
}
