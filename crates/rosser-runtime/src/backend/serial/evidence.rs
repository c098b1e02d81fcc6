//! What the serial engine has to tell of a conflict.

use rosser_abi::run_file::{GETS, finding, task};
use rosser_detect::kind::Kind;
use rosser_detect::serial::conflicts::Conflict;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::running::Frame;

use crate::findings::{Evidence, Forked, Order};
use crate::run_file::set;
use crate::sites::Sites;

/// A conflict, with whoever can explain it.
pub struct Explained<'a> {
    pub engine: &'a Engine,
    pub sites: &'a Sites,
    pub conflict: &'a Conflict,
}

impl Evidence for Explained<'_> {
    fn first_pc(&self) -> usize {
        self.sites.pc_of(self.engine.site_of(self.conflict.first))
    }

    fn first_callers(&self) -> (usize, usize) {
        self.sites.callers_of(self.engine.site_of(self.conflict.first))
    }

    fn is_exact(&self) -> bool {
        self.conflict.exact
    }

    fn kinds(&self) -> [Kind; 2] {
        [self.conflict.first_kind, self.conflict.second_kind]
    }

    fn bytes(&self) -> u8 {
        self.conflict.bytes
    }

    fn is_data_race(&self) -> bool {
        self.conflict.is_data_race()
    }

    fn order(&self) -> Option<Order> {
        self.conflict.hop.map(|hop| Order {
            via: hop.via,
            acquired_pc: self.sites.pc_of(hop.acquired_at),
            released_pc: self.sites.pc_of(hop.released_at),
        })
    }

    fn crowded(&self) -> u64 {
        self.engine.counts().crowded
    }

    fn first_tasks(&self, mut each: impl FnMut(Forked)) -> usize {
        // If the access is not exact, others of the same loop may have made it.
        let is_exact = self.conflict.exact;
        let each = |forked, _| each(forked);
        let mut chain = Chain { sites: self.sites, item: None, is_exact, each };
        let common = self.engine.tasks_of(self.conflict.first, |task| {
            chain.task(task.tag, task.site, 0);
        });
        let above = self.engine.running().count() - common;
        chain.end(self.engine.running().nth(above));
        common
    }

    fn second_tasks(&self, common: usize, mut each: impl FnMut(Forked, usize)) {
        let own = self.engine.running().count() - common;
        let mut chain = Chain { sites: self.sites, item: None, is_exact: true, each: &mut each };
        for task in self.engine.running().take(own) {
            chain.task(task.tag(), task.site(), task.note);
        }
        chain.end(self.engine.running().nth(own));
    }

    fn write_promises(&self, at: usize) {
        let Conflict { first, .. } = *self.conflict;
        let pc = |site| self.sites.pc_of(site) as u64;
        let mut len = 0;
        for get in self.engine.gets().take(GETS) {
            let at = at + finding::GETS + 4 * len;
            let setter = self.engine.task_of(get.set);
            set(at, pc(get.site));
            set(at + 1, pc(self.engine.site_of(get.set)));
            set(at + 2, if setter == 0 { 0 } else { pc(self.engine.site_of(setter)) });
            let by_first = get.set < first && self.engine.task_of(first) == setter;
            set(at + 3, by_first.into());
            len += 1;
        }
        set(at + finding::GETS_LEN, len as u64);
        let next_set = self.engine.next_set(first);
        set(at + finding::NEXT_SET, next_set.map_or(0, |id| pc(self.engine.site_of(id))));
    }
}

/// Hands on the tasks around an access. An item and its leaf are one: the item has the number, the leaf the place.
struct Chain<'a, F> {
    sites: &'a Sites,
    /// An item whose leaf has not been met.
    item: Option<(u32, usize)>,
    /// Whether it surely is that item.
    is_exact: bool,
    each: F,
}

impl<F: FnMut(Forked, usize)> Chain<'_, F> {
    fn task(&mut self, tag: u32, site: u32, note: usize) {
        match (u64::from(tag), self.item) {
            (task::ITEM, _) => self.item = Some((site, note)),
            (task::LEAF, Some((number, note))) => {
                self.item = None;
                let pc = self.sites.pc_of(site);
                let item = self.is_exact.then_some(number);
                (self.each)(Forked { tag: task::ITEM as u32, item, pc }, note);
            }
            _ => (self.each)(Forked { tag, item: None, pc: self.sites.pc_of(site) }, note),
        }
    }

    /// The next task is around both accesses.
    fn end(&mut self, next: Option<&Frame>) {
        if self.item.is_some()
            && let Some(leaf) = next
        {
            self.task(task::LEAF as u32, leaf.site(), 0);
        }
    }
}
