//! How large a trace is to be, and which locations belong to which of its tasks.

use rosser_detect::{Access, Detector, LocId};

use crate::emit::Emitter;

/// How many locations the main task writes first and everybody may read.
const SHARED: u32 = 1024;

/// The size of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many tasks, or promises where each task has one.
    pub tasks: u32,
    /// How many accesses each task makes.
    pub per_task: u32,
    /// How many locations each task owns. It grows with `per_task`, so that a longer trace is more
    /// of the same: every location is gone over twice, whatever the length.
    pub width: u32,
}

/// A task's place in the order of creation; the first is 0. It is not the task's id in all traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ordinal(pub u32);

impl Plan {
    /// As many tasks as asked for, and about as many accesses.
    pub fn new(tasks: u32, accesses: u64) -> Self {
        let per_task = u32::try_from(accesses / u64::from(tasks)).unwrap_or(u32::MAX).max(4);
        Self { tasks, per_task, width: (per_task / 8).max(1) }
    }

    /// A location of a task's own, in any slot.
    #[inline]
    pub fn own(self, task: Ordinal, slot: u32) -> LocId {
        LocId(SHARED + task.0 * self.width + slot % self.width)
    }

    /// A location that is only read after the main task has written it.
    #[inline]
    pub fn shared(slot: u32) -> LocId {
        LocId(slot % SHARED)
    }

    /// How many locations there are.
    pub fn locations(self) -> u64 {
        u64::from(SHARED) + u64::from(self.tasks) * u64::from(self.width)
    }

    /// Has the running task write the shared locations.
    pub fn prepare<D: Detector, const A: bool>(emitter: &mut Emitter<'_, D, A>) {
        for slot in 0..SHARED {
            emitter.write(Self::shared(slot));
        }
    }

    /// What every task does: in each group of four accesses it writes a location of its own, reads
    /// it back, and makes two accesses that `others` chooses. Each group takes the next slot, and
    /// all slots come up twice.
    #[inline]
    pub fn work<D: Detector, const A: bool>(
        self,
        emitter: &mut Emitter<'_, D, A>,
        me: Ordinal,
        mut others: impl FnMut(Turn) -> (LocId, Access),
    ) {
        if !A {
            return;
        }
        for turn in 0..self.per_task {
            let slot = turn / 4;
            let (location, access) = match turn % 4 {
                0 => (self.own(me, slot), Access::Write),
                1 => (self.own(me, slot), Access::Read),
                which => others(Turn { slot, is_first: which == 2 }),
            };
            if access == Access::Write {
                emitter.write(location);
            } else {
                emitter.read(location);
            }
        }
    }
}

/// A turn at which the trace chooses the access.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Which slot it is about.
    pub slot: u32,
    /// Whether it is the first of the two free choices in the group.
    pub is_first: bool,
}

/// A small generator of pseudo-random numbers (xorshift64*), the same in every run.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The one seed there is.
    pub fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below the bound, which must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Dice, Ordinal, Plan};

    #[test]
    fn tasks_own_disjoint_locations() {
        let plan = Plan::new(100, 16_000);
        assert_eq!((plan.per_task, plan.width), (160, 20));
        assert!(Plan::shared(u32::MAX) < plan.own(Ordinal(0), 0));
        assert!(plan.own(Ordinal(0), 19) < plan.own(Ordinal(1), 0));
        assert_eq!(plan.own(Ordinal(5), 3), plan.own(Ordinal(5), 23));
        assert_eq!(u64::from(plan.own(Ordinal(99), 19).0) + 1, plan.locations());
    }

    #[test]
    fn dice_stay_below_and_reach_everything() {
        let mut dice = Dice::new();
        let mut seen = [0; 6];
        for _ in 0..600 {
            seen[dice.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (50..150).contains(count)), "{seen:?}");
    }
}
