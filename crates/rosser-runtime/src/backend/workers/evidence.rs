//! What SF-Order has to tell of a conflict.

use rosser_detect::kind::Kind;
use rosser_detect::serial::log::Site;
use rosser_detect::sf_order::worker::Conflict;

use super::checked::{self, Checked};
use crate::findings::{Evidence, Forked, Order};
use crate::sites::Sites;

/// A conflict, with the thread that has found it.
pub struct Explained<'a> {
    pub checked: &'a Checked,
    pub conflict: &'a Conflict,
}

impl Explained<'_> {
    /// Where the earlier access was made, as its own worker has it.
    fn first<T>(&self, answer: impl FnOnce(&Sites, Site) -> T) -> Option<T> {
        let (site, worker) = self.checked.worker.shared().place_of(self.conflict.first.id);
        // SAFETY: sites are kept for good, and this one before the access was put into its cell.
        let other = unsafe { checked::other(worker) }?;
        Some(answer(&other.sites, site))
    }
}

impl Evidence for Explained<'_> {
    fn first_pc(&self) -> usize {
        self.first(Sites::pc_of).unwrap_or(0)
    }

    fn first_callers(&self) -> (usize, usize) {
        self.first(Sites::callers_of).unwrap_or_default()
    }

    fn is_exact(&self) -> bool {
        !self.conflict.first.inexact
    }

    fn kinds(&self) -> [Kind; 2] {
        [self.conflict.first.kind, self.conflict.kind]
    }

    fn bytes(&self) -> u8 {
        self.conflict.bytes
    }

    fn is_data_race(&self) -> bool {
        let [first, second] = self.kinds();
        self.conflict.hop.is_none() && !(first.is_atomic() && second.is_atomic())
    }

    fn order(&self) -> Option<Order> {
        // Places of acquires and releases are plain: they mean the same to all workers.
        self.conflict.hop.map(|hop| Order {
            via: hop.via,
            acquired_pc: self.checked.sites.pc_of(hop.acquired_at),
            released_pc: self.checked.sites.pc_of(hop.released_at),
        })
    }

    fn crowded(&self) -> u64 {
        self.checked.worker.counts.crowded
    }

    fn first_tasks(&self, mut each: impl FnMut(Forked)) -> usize {
        let shared = self.checked.worker.shared();
        let is_around_second =
            |number| shared.around(self.checked.worker.task()).any(|task| task.number == number);
        let mut common = 0;
        for task in shared.around(shared.task_of(self.conflict.first.id)) {
            if is_around_second(task.number) {
                common = shared.around(task.number).count();
                break;
            }
            each(Forked { tag: task.tag, item: None, pc: self.checked.sites.pc_of(task.site) });
        }
        common
    }

    fn second_tasks(&self, common: usize, mut each: impl FnMut(Forked, usize)) {
        let shared = self.checked.worker.shared();
        let around = || shared.around(self.checked.worker.task());
        let own = around().count() - common;
        for (index, task) in around().take(own).enumerate() {
            // Tasks further out may run elsewhere.
            let begins = if index == 0 { self.checked.begin(self.checked.depth).entry } else { 0 };
            let pc = self.checked.sites.pc_of(task.site);
            each(Forked { tag: task.tag, item: None, pc }, begins);
        }
    }
}
