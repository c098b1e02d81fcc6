//! `auto`: the engine of checked programs, for all constructs at once and in any order of execution.
//!
//! * **Program class**: everything in [`rosser_detect::event`].
//! * **Guarantee**: for every location, the worst class that any pair of accesses has
//!   ([`rosser_detect::Class`]) is reported, exactly: nothing is missed and nothing invented,
//!   for all schedules of this input as long as control flow does not depend on an order-dependent
//!   value. Every reported pair is real, and so is what is said to exclude the two.
//! * **Cost**: an access that repeats one of the same step is one comparison. Else one query for
//!   the last writer and, for a read, one for the last reader. A location keeps one reader in
//!   fork-join programs, and an antichain of readers otherwise.
//!
//! # How it works
//! *Order.* [`rosser_detect::serial::engine`] is told of all task events, as the runtime tells it ([`told`]), and says
//! who precedes whom: by spans or by tree and joins, strongly; by releases and acquires, weakly. What it is
//! asked, checked programs do not ask: [`rosser_detect::serial::growing`].
//!
//! *Accesses.* The engine's cells have room for a few and leave out what a report can do without. Here every
//! access is kept that the exact class can depend on, with its place, its task and the locks held ([`history`]).
//!
//! *Readers.* A read replaces those that strongly precede it: whatever is parallel with them and
//! comes later is parallel with it. As long as execution is depth-first and nothing was released,
//! a read that is parallel with the remembered one may be dropped, too
//! (pseudotransitivity, Feng and Leiserson, Lemma 7): every later path from the one kept leads
//! through a step that the one dropped precedes as well. Accumulations with one operator are
//! treated as reads of their own kind.

mod history;
mod lent;
mod locks;
pub(crate) mod told;

use history::{Accessors, Cell, Extra, Record};
use lent::Lent;
use locks::{LockSets, SetId};
use rosser_detect::serial::log::Id;
use rosser_detect::serial::weak::Knowledge;
use rosser_detect::storage::Exhausted;
use rosser_detect::{
    Access, Class, Detail, Detector, DetectorKind, Event, Exclusion, Findings, LocId, Place, Race,
    SiteId, StepId, TaskId,
};
use told::{Told, put};

/// A step in which nothing has been accessed so far. No location has it, so the next access takes the slow
/// path.
const PENDING: StepId = StepId(u32::MAX - 1);

/// No location.
const NOWHERE: LocId = LocId(u32::MAX);

/// The engine's memory grows.
const ENOUGH: &str = "fewer than 2^32 events and steps";

/// A step in which something was accessed.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// What the engine knows it by.
    id: Id,
    task: TaskId,
    held: SetId,
}

/// What was given at the last release of a lock, or by a signal, and in which region. Nobody has to take what
/// was given in one that has ended.
#[derive(Clone, Copy, Default, Debug)]
struct Given {
    knowledge: Knowledge,
    region: u64,
}

/// The detector; see the module documentation.
#[derive(Debug)]
pub struct Auto {
    engine: Lent,
    told: Told,
    /// The step that is being executed, or `PENDING`.
    step: StepId,
    steps: Vec<Step>,
    locks: LockSets,
    released: Vec<Given>,
    signalled: Vec<Given>,
    cells: Vec<Cell>,
    extras: Vec<Extra>,
    /// A location that the current step has read without being remembered for it.
    dropped: LocId,
    /// For each task, the last round of dropping in which it was met, so that meeting it again is
    /// noticed without a set.
    rounds: Vec<u32>,
    round: u32,
    findings: Findings,
}

impl Auto {
    /// A detector at the start of the main task.
    pub fn new(detail: Detail) -> Self {
        Self::with_search_budget(detail, u32::MAX)
    }

    /// A detector whose searches of the joins visit fewer nodes before they fall back on
    /// sets of sources. The answers are the same; tests use it to reach the fallback with small programs.
    pub fn with_search_budget(detail: Detail, budget: u32) -> Self {
        let mut engine = Lent::new();
        engine.limit_searches(budget);
        Self {
            engine,
            told: Told::new(),
            step: PENDING,
            steps: Vec::new(),
            locks: LockSets::default(),
            released: Vec::new(),
            signalled: Vec::new(),
            cells: Vec::new(),
            extras: Vec::new(),
            dropped: NOWHERE,
            rounds: Vec::new(),
            round: 0,
            findings: Findings::new(detail),
        }
    }

    fn tell(&mut self, event: Event) -> Result<(), Exhausted> {
        let next = if let Event::Switch { to } = event { to } else { self.told.current() };
        let switches = self.told.differs(&self.engine, next);
        self.engine.reserve(switches || matches!(event, Event::Set { .. }));
        self.told.event(&mut self.engine, event)?;
        let task = self.told.current();
        match event {
            Event::Acquire { lock } => {
                self.locks.acquire(task, lock);
                self.take(self.released.get(lock.index()).copied())?;
            }
            Event::Release { lock } => {
                self.locks.release(task, lock);
                let given = self.give()?;
                put(&mut self.released, lock.index(), given);
            }
            Event::Signal { token } => {
                let given = self.give()?;
                put(&mut self.signalled, token.index(), given);
            }
            Event::Await { token } => self.take(self.signalled.get(token.index()).copied())?,
            _ => {}
        }
        Ok(())
    }

    fn give(&mut self) -> Result<Given, Exhausted> {
        Ok(Given { knowledge: self.engine.give()?, region: self.told.regions() })
    }

    fn take(&mut self, given: Option<Given>) -> Result<(), Exhausted> {
        match given {
            Some(Given { knowledge, region }) if region == self.told.regions() => {
                self.engine.take(knowledge)
            }
            _ => Ok(()),
        }
    }

    /// Begins the current task's step.
    fn begin_step(&mut self) -> Result<(), Exhausted> {
        let task = self.told.current();
        let switches = self.told.differs(&self.engine, task);
        self.engine.reserve(switches);
        self.told.settle(&mut self.engine)?;
        let step = Step { id: self.engine.id_of(1)?, task, held: self.locks.held_by(task) };
        self.step = StepId::from_index(self.steps.len());
        self.steps.push(step);
        Ok(())
    }

    /// Whether a step executed earlier comes before the current one in every schedule.
    #[inline]
    fn precedes(&mut self, earlier: StepId) -> bool {
        self.engine.judge.precedes(self.steps[earlier.index()].id)
    }

    /// As [`Self::precedes`], but may miss an order that only a long search would find. Good enough
    /// to decide whether a remembered reader may go: one that stays for nothing costs a little
    /// memory, while proving that it must stay can cost a set of sources.
    fn precedes_plainly(&mut self, earlier: StepId) -> bool {
        self.engine.judge.precedes_plainly(self.steps[earlier.index()].id)
    }

    /// What keeps two conflicting, strongly parallel accesses from overlapping.
    #[cold]
    fn exclusion(&mut self, earlier: StepId, first: Access, second: Access) -> Exclusion {
        let Step { id, held, .. } = self.steps[earlier.index()];
        if self.locks.have_common(held, self.steps[self.step.index()].held) {
            Exclusion::CommonLock
        } else if first.is_atomic() && second.is_atomic() {
            Exclusion::Atomic
        } else if self.engine.judge.precedes_weakly(id) {
            Exclusion::WeakOrder
        } else {
            Exclusion::None
        }
    }

    #[cold]
    fn conflict(&mut self, location: LocId, first: Record, as_access: Access, me: Place) {
        let exclusion = self.exclusion(first.step, as_access, me.access);
        let task = self.steps[first.step.index()].task;
        let first = Place { site: first.site, access: as_access, task };
        self.findings.report(Race { location, exclusion, first, second: me });
        if exclusion.class() == Class::DataRace && self.findings.detail() == Detail::Locations {
            self.cells[location.index()].settle();
        }
    }

    /// Reports if the access recorded under `as_access` is parallel with the current one.
    #[inline]
    fn check(&mut self, location: LocId, record: Record, as_access: Access, me: Place) {
        if record.is_some() && !self.precedes(record.step) {
            self.conflict(location, record, as_access, me);
        }
    }

    /// Everything but the access that repeats one of the same step.
    #[inline(never)]
    fn access_slowly(&mut self, location: LocId, access: Access, site: SiteId) {
        if self.step == PENDING {
            self.begin_step().expect(ENOUGH);
        }
        let me = Place { site, access, task: self.told.current() };
        let now = Record { step: self.step, site };
        let writer = self.cells[location.index()].writer;
        self.check(location, writer, Access::Write, me);
        if let Some(extra) = self.cells[location.index()].extra() {
            self.check_atomics(location, extra, me);
        }
        match access {
            Access::Read => self.remember_read(location, now),
            _ if access.writes() => {
                self.check_readers(location, me);
                if access == Access::Write {
                    let cell = &mut self.cells[location.index()];
                    cell.writer = now;
                    cell.reader = Record::NONE;
                    if let Some(extra) = cell.extra() {
                        self.extras[extra].clear();
                    }
                } else {
                    self.remember_atomic(location, access, now);
                }
            }
            _ => self.remember_atomic(location, access, now),
        }
    }

    fn check_readers(&mut self, location: LocId, me: Place) {
        let reader = self.cells[location.index()].reader;
        self.check(location, reader, Access::Read, me);
        if let Some(extra) = self.cells[location.index()].extra() {
            let readers = std::mem::take(&mut self.extras[extra].readers);
            for reader in readers.iter() {
                self.check(location, reader, Access::Read, me);
            }
            self.extras[extra].readers = readers;
        }
    }

    fn check_atomics(&mut self, location: LocId, extra: usize, me: Place) {
        let Some(atomics) = self.extras[extra].atomics.take() else {
            return;
        };
        for (access, accessors) in &atomics.kinds {
            if access.conflicts_with(me.access) {
                for record in accessors.iter() {
                    self.check(location, record, *access, me);
                }
            }
        }
        self.extras[extra].atomics = Some(atomics);
    }

    fn remember_read(&mut self, location: LocId, now: Record) {
        let old = self.cells[location.index()].reader;
        if !old.is_some() || self.precedes_plainly(old.step) {
            self.cells[location.index()].reader = now;
        } else if !self.engine.judge.first_stands_for_all() {
            // The newest reader stays in the cell, where its task will look first.
            self.cells[location.index()].reader = now;
            let extra = self.extra_of(location);
            let mut readers = std::mem::take(&mut self.extras[extra].readers);
            self.add(&mut readers, old);
            self.extras[extra].readers = readers;
        } else {
            self.dropped = location;
        }
    }

    fn remember_atomic(&mut self, location: LocId, access: Access, now: Record) {
        let extra = self.extra_of(location);
        let mut accessors = self.extras[extra].take_atomic(access);
        match accessors.newest() {
            Some(newest) if self.precedes_plainly(newest.step) => accessors.replace_newest(now),
            Some(_) if self.engine.judge.first_stands_for_all() => {}
            _ => self.add(&mut accessors, now),
        }
        self.extras[extra].put_atomic(access, accessors);
    }

    /// Adds a record to an antichain; once in a while drops those that are not needed: what
    /// precedes the current step, and all but the newest of each task.
    fn add(&mut self, accessors: &mut Accessors, record: Record) {
        if accessors.is_due() {
            self.round += 1;
            self.rounds.resize(self.told.tasks(), 0);
            accessors.retain(|step| {
                let task = self.steps[step.index()].task;
                let last = std::mem::replace(&mut self.rounds[task.index()], self.round);
                last != self.round && !self.precedes(step)
            });
        }
        accessors.push(record);
    }

    fn extra_of(&mut self, location: LocId) -> usize {
        let cell = &mut self.cells[location.index()];
        cell.extra().unwrap_or_else(|| {
            let index = self.extras.len();
            self.extras.push(Extra::default());
            cell.set_extra(index);
            index
        })
    }
}

impl Detector for Auto {
    fn kind(&self) -> DetectorKind {
        DetectorKind::Auto
    }

    fn event(&mut self, event: Event) {
        self.dropped = NOWHERE;
        self.step = PENDING;
        self.tell(event).expect(ENOUGH);
    }

    #[inline]
    fn access(&mut self, location: LocId, access: Access, site: SiteId) {
        let index = location.index();
        if index >= self.cells.len() {
            self.cells.resize(index + 1, Cell::NEW);
        }
        let repeats = access == Access::Read && location == self.dropped;
        if !self.cells[index].is_settled_for(self.step, access) && !repeats {
            self.access_slowly(location, access, site);
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn stats(&self) -> Vec<(&'static str, u64)> {
        let readers: usize = self.extras.iter().map(Extra::kept).sum();
        vec![
            ("tasks", self.told.tasks() as u64),
            ("steps", self.steps.len() as u64),
            ("regions ended", self.told.regions()),
            ("extra accessors kept", readers as u64),
        ]
    }
}
