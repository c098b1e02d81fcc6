//! SP-bags: M. Feng and C. Leiserson, *Efficient Detection of Determinacy Races in Cilk Programs*,
//! SPAA 1997.
//!
//! * **Program class**: spawn and sync, executed depth-first, with atomic accumulation (§5).
//! * **Guarantee**: for each location, a race is reported if and only if one exists in some
//!   schedule of this input (Theorems 10 and 11).
//! * **Cost**: at most three finds in a disjoint-set forest per access, amortised O(α); O(1) space
//!   per location and per task.
//!
//! # Where this differs from the paper
//! Cilk 5 performs an accumulation `x += spawn f()` when the child returns, and guarantees
//! atomicity only among the accumulations of one sync block; the paper therefore stores the sync
//! block as the writer and demands that two accumulations share it. In Rosser an accumulation is
//! an event of the task that performs it and is atomic with every other, so the task is what goes
//! into the bags. Operator and sync block are both kept: [`Atomicity::SyncBlock`] restores the
//! paper's rule. One accumulator is kept *per operator*: a `*` followed in the same task by a `+`
//! must both be held against a parallel `+`.
//!
//! In Cilk 5 a procedure is always spawned. Where it can be called as well, a sync block inside another
//! of the same task is that of the called procedure: it is in series with its caller and shares its
//! S-bag, but its sync joins only what it has spawned itself, so it has a P-bag of its own.

use super::bags::{Accessor, Bag, Bags};
use super::cells::Cells;
use crate::detector::Detector;
use crate::event::{Access, Event, ScopeKind};
use crate::findings::{Detail, Exclusion, Findings, Race};
use crate::ids::{LocId, SiteId, TaskId};
use crate::live::LiveDetector;
use crate::registry::DetectorKind;

/// Which accumulations are atomic with respect to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Atomicity {
    /// All of them: an accumulation is an atomic operation of the machine.
    #[default]
    Everywhere,
    /// Those by procedures spawned in one sync block, as in Cilk 5. Others are data races.
    SyncBlock,
}

/// A procedure on the call stack.
#[derive(Debug)]
struct Procedure {
    task: TaskId,
    s_bag: Bag,
    p_bag: Bag,
    /// The P-bags of the sync blocks around the present one.
    outer: Vec<Bag>,
    /// The sync block of the caller in which this procedure was spawned.
    spawned_in: u32,
    /// The sync block this procedure is in.
    block: u32,
}

/// The last accumulation with one operator, of those whose old value is seen or of the others.
#[derive(Clone, Copy, Debug)]
struct Accumulator {
    access: Access,
    by: Accessor,
    block: u32,
}

/// The shadow spaces of one location.
#[derive(Clone, Debug, Default)]
struct Cell {
    writer: Accessor,
    reader: Accessor,
    accumulators: Vec<Accumulator>,
}

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct SpBags {
    atomicity: Atomicity,
    bags: Bags,
    stack: Vec<Procedure>,
    blocks: u32,
    cells: Cells<Cell>,
    findings: Findings,
}

impl SpBags {
    /// A detector in which every accumulation is atomic.
    pub fn new(detail: Detail) -> Self {
        Self::with_atomicity(detail, Atomicity::Everywhere)
    }

    /// A detector with the given rule for accumulations.
    pub fn with_atomicity(detail: Detail, atomicity: Atomicity) -> Self {
        let mut detector = Self {
            atomicity,
            bags: Bags::default(),
            stack: Vec::new(),
            blocks: 0,
            cells: Cells::default(),
            findings: Findings::new(detail),
        };
        detector.push(TaskId::MAIN);
        detector
    }

    fn push(&mut self, task: TaskId) {
        let s_bag = self.bags.new_task(task);
        let spawned_in = self.stack.last().map_or(0, |caller| caller.block);
        let block = self.new_block();
        self.stack.push(Procedure {
            task,
            s_bag,
            p_bag: Bag::EMPTY,
            outer: Vec::new(),
            spawned_in,
            block,
        });
    }

    fn new_block(&mut self) -> u32 {
        self.blocks += 1;
        self.blocks
    }

    fn top(&mut self) -> &mut Procedure {
        self.stack.last_mut().expect("the main procedure ends last")
    }

    fn sync(&mut self) {
        let block = self.new_block();
        let procedure = self.stack.last_mut().expect("the main procedure ends last");
        procedure.s_bag = self.bags.union_serial(procedure.s_bag, procedure.p_bag);
        procedure.p_bag = procedure.outer.pop().unwrap_or(Bag::EMPTY);
        procedure.block = block;
    }

    /// A sync block begins: the first of its procedure, or that of one that is called.
    fn begin_block(&mut self) {
        let procedure = self.top();
        let outer = std::mem::replace(&mut procedure.p_bag, Bag::EMPTY);
        procedure.outer.push(outer);
    }

    fn end(&mut self) {
        let ended = self.stack.pop().expect("only a running procedure ends");
        if let Some(caller) = self.stack.last_mut() {
            caller.p_bag = self.bags.union_parallel(caller.p_bag, ended.s_bag);
        }
    }
}

impl Detector for SpBags {
    fn kind(&self) -> DetectorKind {
        DetectorKind::SpBags
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Fork { child, .. } => self.push(child),
            Event::Switch { to } => {
                assert_eq!(to, self.top().task, "SP-bags needs a depth-first execution");
            }
            Event::End => self.end(),
            Event::ScopeEnd { kind: ScopeKind::SyncBlock } => self.sync(),
            Event::ScopeBegin { kind: ScopeKind::SyncBlock } => self.begin_block(),
            other => unreachable!("{other:?} is outside the class of SP-bags"),
        }
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let procedure = self.stack.last().expect("accesses are made by a running procedure");
        let me = Accessor::new(procedure.task, site);
        let block = procedure.spawned_in;
        let (cell, bags) = (self.cells.at(location), &mut self.bags);
        let mut race = |first, exclusion| {
            self.findings.report(Race { location, exclusion, first, second: me.place(access) });
        };

        if cell.writer.is_parallel(bags) {
            race(cell.writer.place(Access::Write), Exclusion::None);
        }
        for old in &cell.accumulators {
            let exclusion = match access {
                _ if !old.access.conflicts_with(access) => {
                    if self.atomicity == Atomicity::Everywhere || old.block == block {
                        continue;
                    }
                    Exclusion::None
                }
                Access::Update(_) | Access::Fetch(_) => Exclusion::Atomic,
                _ => Exclusion::None,
            };
            if old.by.is_parallel(bags) {
                race(old.by.place(old.access), exclusion);
            }
        }
        match access {
            Access::Read => cell.reader.replace_if_serial(me, bags),
            Access::Write | Access::Update(_) | Access::Fetch(_) => {
                if cell.reader.is_parallel(bags) {
                    race(cell.reader.place(Access::Read), Exclusion::None);
                }
                if access == Access::Write {
                    cell.writer = me;
                } else {
                    match cell.accumulators.iter_mut().find(|old| old.access == access) {
                        Some(old) if old.by.is_parallel(bags) => {}
                        Some(old) => *old = Accumulator { access, by: me, block },
                        None => cell.accumulators.push(Accumulator { access, by: me, block }),
                    }
                }
            }
            Access::AtomicRead | Access::AtomicWrite => {
                unreachable!("atomic loads and stores are outside the class of SP-bags")
            }
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        vec![("procedures", self.bags.len() as u64), ("locations", self.cells.len() as u64)]
    }
}

impl LiveDetector for SpBags {
    fn forget(&mut self, location: LocId) {
        self.cells.forget(location);
    }

    fn split(&mut self, location: LocId, new: LocId) {
        self.cells.split(location, new);
    }

    fn take_races(&mut self, races: &mut Vec<Race>) {
        self.findings.take(races);
    }
}

#[cfg(test)]
mod tests {
    use super::{Atomicity, SpBags};
    use crate::detector::Detector;
    use crate::event::{Access, Event, Operator, ScopeKind, TaskKind};
    use crate::findings::{Class, Detail};
    use crate::ids::{LocId, SiteId, TaskId};

    const ADD: Access = Access::Update(Operator::Add);

    fn spawn(detector: &mut SpBags, child: u32) {
        detector.event(Event::Fork { child: TaskId(child), kind: TaskKind::Spawn });
        detector.event(Event::Switch { to: TaskId(child) });
    }

    fn end(detector: &mut SpBags, caller: u32) {
        detector.event(Event::End);
        detector.event(Event::Switch { to: TaskId(caller) });
    }

    /// Two procedures accumulate into one location: both spawned by main, or the first by a
    /// procedure that main spawned.
    fn accumulate_twice(atomicity: Atomicity, nested: bool) -> Option<Class> {
        let mut detector = SpBags::with_atomicity(Detail::Locations, atomicity);
        let sync = Event::ScopeEnd { kind: ScopeKind::SyncBlock };
        spawn(&mut detector, 1);
        let mut next = 2;
        if nested {
            spawn(&mut detector, 2);
            next = 3;
        }
        detector.access(LocId(0), ADD, SiteId(0));
        if nested {
            end(&mut detector, 1);
            detector.event(sync);
        }
        end(&mut detector, 0);
        spawn(&mut detector, next);
        detector.access(LocId(0), ADD, SiteId(1));
        end(&mut detector, 0);
        detector.event(sync);
        detector.access(LocId(0), Access::Read, SiteId(2));
        detector.findings().worst().get(&LocId(0)).copied()
    }

    #[test]
    fn accumulations_of_one_sync_block_are_legal() {
        for atomicity in [Atomicity::Everywhere, Atomicity::SyncBlock] {
            assert_eq!(accumulate_twice(atomicity, false), None);
        }
    }

    #[test]
    fn accumulations_of_two_sync_blocks_are_atomic_only_if_all_are() {
        assert_eq!(accumulate_twice(Atomicity::Everywhere, true), None);
        assert_eq!(accumulate_twice(Atomicity::SyncBlock, true), Some(Class::DataRace));
    }
}
