//! Locks, fences and atomic accesses: what orders tasks in this run only.

use crate::kind::{Kind, Ordering};
use crate::serial::cell::Cell;
use crate::serial::engine::Engine;
use crate::serial::judge::Judge;
use crate::serial::log::{Id, Site};
use crate::serial::weak::{Knowledge, Via};
use crate::storage::Exhausted;

impl Engine {
    /// An atomic access to some bytes of a word.
    pub fn atomic(
        &mut self,
        cell: &mut Cell,
        kind: Kind,
        bytes: u8,
        site: Site,
        ordering: Ordering,
    ) -> Result<(), Exhausted> {
        self.judge.conflicts.clear();
        self.judge.counts.accesses += 1;
        let record = self.judge.record_of(cell)?;
        let released = self.judge.records.released(record);
        if kind != Kind::Store && released != 0 {
            if ordering.acquires {
                self.acquire(released, site, Via::ReleaseAcquire)?;
            } else {
                self.judge.weak.leave_to_fence(released)?;
            }
        }
        let id = self.id_of(site)?;
        self.judge.access_entries(cell, record, kind, bytes, id)?;
        if kind.writes() {
            self.judge.note_change();
            let released = if kind == Kind::Store { 0 } else { released };
            let given = if ordering.releases {
                self.release(site, Via::ReleaseAcquire)?
            } else {
                self.judge.weak.fence_released
            };
            let both = self.judge.weak.graph.both(given, released)?;
            self.judge.records.set_released(record, both);
        }
        Ok(())
    }

    /// Code that is not instrumented wrote to the word, in the course of what the current task has
    /// done so far, and released it.
    pub fn hidden_release(&mut self, cell: &mut Cell, site: Site) -> Result<(), Exhausted> {
        let record = self.judge.record_of(cell)?;
        let given = self.release(site, Via::HiddenRelease)?;
        self.judge.records.set_released(record, given);
        // Keeps the record alive: its last access is now.
        cell.accessor = self.id_of(site)?;
        cell.accessor_mask = 0;
        Ok(())
    }

    /// What the given task, which is current, knows now.
    pub(crate) fn release_knowledge(
        &mut self,
        task: Id,
        site: Site,
        via: Via,
    ) -> Result<Knowledge, Exhausted> {
        let Judge { numbering, strong, weak, .. } = &mut self.judge;
        let now = numbering.next();
        weak.graph.release(&mut strong.order, weak.known, task, now, site, via)
    }

    /// What the current task gives to whoever acquires from it now. Begins a new step: what it
    /// does from now on is not in it.
    pub(crate) fn release(&mut self, site: Site, via: Via) -> Result<Knowledge, Exhausted> {
        let task = self.current_task()?;
        let knowledge = self.release_knowledge(task, site, via)?;
        self.count_step();
        self.judge.strong.present.base = self.judge.numbering.next();
        if self.is_general() {
            self.update_general_thresholds();
        } else {
            self.update_thresholds();
        }
        Ok(knowledge)
    }

    /// The current task acquires what was released.
    pub(crate) fn acquire(
        &mut self,
        released: Knowledge,
        site: Site,
        via: Via,
    ) -> Result<(), Exhausted> {
        if released != 0 {
            let task = self.current_task()?;
            self.judge.weak.acquire(released, task, site, via)?;
            let before = self.judge.strong.present.every_reader;
            self.judge.update_every_reader();
            if self.judge.strong.present.every_reader != before {
                // Whoever remembers what an access of the step does to a cell is to forget it.
                self.count_step();
                self.judge.strong.present.base = self.judge.numbering.next();
                if self.is_general() {
                    self.judge.strong.present.unprepared = self.judge.strong.present.base;
                }
            }
        }
        Ok(())
    }

    /// A fence that acquires, releases or both.
    pub fn fence(&mut self, site: Site, acquires: bool, releases: bool) -> Result<(), Exhausted> {
        if acquires {
            self.acquire(self.judge.weak.at_fence, site, Via::ReleaseAcquire)?;
        }
        if releases {
            self.judge.weak.fence_released = self.release(site, Via::ReleaseAcquire)?;
        }
        Ok(())
    }

    /// The current task begins an isolated section: no other is under way.
    pub fn isolated_begin(&mut self, site: Site) -> Result<(), Exhausted> {
        self.acquire(self.judge.weak.isolated, site, Via::ReleaseAcquire)
    }

    /// The current task ends its isolated section.
    pub fn isolated_end(&mut self, site: Site) -> Result<(), Exhausted> {
        let known = self.release(site, Via::ReleaseAcquire)?;
        self.judge.weak.leave_to_isolated(known)
    }

    /// The current task asked which worker it runs on. On this run all tasks share one worker and
    /// what belongs to it; on another schedule each has its own.
    pub fn ask_for_worker(&mut self, site: Site) -> Result<(), Exhausted> {
        self.current_task()?;
        if let Some(frame) = self.frame_mut() {
            frame.asked_for_worker = true;
        }
        self.acquire(self.judge.weak.worker, site, Via::SameWorker)
    }

    /// Where a remembered access was made.
    pub fn site_of(&self, id: Id) -> Site {
        self.judge.numbering.log.site(id)
    }
}
