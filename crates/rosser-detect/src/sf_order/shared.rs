//! What all workers share.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::serial::log::Site;
use crate::storage::Exhausted;

use crate::sf_order::futures::{Future, Futures, Set};
use crate::sf_order::log::{Id, Log, LogStorage};
use crate::sf_order::records::{Record, Records, Slot};
use crate::sf_order::strands::{Before, Place, Strand, StrandStorage, Strands, Task};
use crate::sf_order::weak::{Knowledge, Node, Weak};

/// How many workers there can be.
pub const WORKERS: usize = 256;

const NOTHING: Knowledge = 0;

/// How a task came about; opaque here.
pub type TaskTag = u32;

/// What is remembered of a task, for reports and for the tree of futures.
#[derive(Debug, Default)]
pub struct TaskSlot {
    parent: AtomicU32,
    future: AtomicU32,
    tag: AtomicU32,
    site: AtomicU32,
}

/// The memory of everything.
#[derive(Debug)]
pub struct Storage {
    /// For ids.
    pub log: LogStorage,
    /// For strands.
    pub strands: StrandStorage,
    /// For tasks.
    pub tasks: &'static [TaskSlot],
    /// For futures.
    pub futures: &'static [AtomicU64],
    /// For sets of them.
    pub sets: &'static [AtomicU64],
    /// For records.
    pub records: &'static [Slot],
    /// For knowledge.
    pub knowledge: &'static [Node],
    /// For moments.
    pub bounds: &'static [AtomicU32],
}

/// Everything that workers share. Relaxed throughout: tasks are written before anybody else has their number (S1); what
/// bounds a region is changed when no worker is at work (S5).
#[derive(Debug)]
pub struct Shared {
    pub(crate) log: Log,
    pub(crate) strands: Strands,
    pub(crate) futures: Futures,
    pub(crate) records: Records,
    pub(crate) weak: Weak,
    tasks: &'static [TaskSlot],
    next_task: AtomicU32,
    /// What isolated sections left to the next: a [`Knowledge`].
    pub(crate) isolated: AtomicU32,
    /// Ids and records before these are of regions that are over: they precede everything.
    settled: AtomicU32,
    settled_records: AtomicU32,
    /// For each worker the id that it gives out next.
    progress: [AtomicU32; WORKERS],
    workers: AtomicU32,
    /// Whether atomic operations may be carried out that nobody tells of.
    pub(crate) has_hidden: bool,
}

/// What a region leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Nobody asks about ids before this one any more.
    pub ids: Id,
    /// Nobody looks into records before this one any more.
    pub records: Record,
    /// Whether ids and records begin anew, so that all cells have to be forgotten.
    pub begins_anew: bool,
}

/// A task and where it was forked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskInfo {
    /// The task's own number.
    pub number: Task,
    /// The task that forked it; 0 is the main task.
    pub parent: Task,
    /// How it came about.
    pub tag: TaskTag,
    /// Where it was forked.
    pub site: Site,
}

impl Shared {
    /// Nothing yet, for so many workers. `has_hidden` says that the standard library is not seen, so that locks and
    /// once cells carry out atomic operations that nobody tells of.
    pub fn new(storage: Storage, workers: usize, has_hidden: bool) -> Self {
        assert!((1..=WORKERS).contains(&workers), "{workers} workers");
        let Storage { log, strands, tasks, futures, sets, records, knowledge, bounds } = storage;
        Self {
            log: Log::new(log),
            strands: Strands::new(strands),
            futures: Futures::new(futures, sets),
            records: Records::new(records),
            weak: Weak::new(knowledge, bounds),
            tasks,
            next_task: AtomicU32::new(1),
            isolated: AtomicU32::new(NOTHING),
            settled: AtomicU32::new(1),
            settled_records: AtomicU32::new(1),
            progress: [const { AtomicU32::new(0) }; WORKERS],
            workers: AtomicU32::new(workers as u32),
            has_hidden,
        }
    }

    /// Nothing is parallel any more: whatever was done precedes everything. No worker may be at work.
    pub fn end_region(&self) -> Ended {
        self.strands.clear();
        self.futures.clear();
        self.weak.clear();
        self.next_task.store(1, Relaxed);
        self.isolated.store(NOTHING, Relaxed);
        let (ids, records) = (self.log.first_free(), self.records.first_free());
        let begins_anew = ids > self.log.capacity() / 2 || records > self.records.capacity() / 2;
        if begins_anew {
            self.log.clear();
            self.records.clear();
        }
        self.settled.store(self.log.first_free(), Relaxed);
        self.settled_records.store(self.records.first_free(), Relaxed);
        Ended { ids, records, begins_anew }
    }

    /// Ends the region, and gives out ids and records anew: all cells have to be forgotten.
    pub fn begin_anew(&self) {
        self.log.clear();
        self.records.clear();
        self.end_region();
    }

    /// Ids before this one precede everything.
    pub fn settled(&self) -> Id {
        self.settled.load(Relaxed)
    }

    pub(crate) fn settled_records(&self) -> Record {
        self.settled_records.load(Relaxed)
    }

    pub(crate) fn note_progress(&self, worker: u32, next: Id) {
        self.progress[worker as usize].store(next, Relaxed);
    }

    /// The id that each worker gives out next, or an earlier one: see S6.
    pub(crate) fn progress(&self) -> impl ExactSizeIterator<Item = Id> {
        let workers = self.workers.load(Relaxed) as usize;
        self.progress[..workers].iter().map(|next| next.load(Relaxed))
    }

    pub(crate) fn add_task(
        &self,
        parent: Task,
        future: Future,
        tag: TaskTag,
        site: Site,
    ) -> Result<Task, Exhausted> {
        let number = self.next_task.fetch_add(1, Relaxed);
        let slot = self.tasks.get(number as usize).ok_or(Exhausted)?;
        slot.parent.store(parent, Relaxed);
        slot.future.store(future, Relaxed);
        slot.tag.store(tag, Relaxed);
        slot.site.store(site, Relaxed);
        Ok(number)
    }

    pub(crate) fn future_of(&self, strand: Strand) -> Future {
        let task = self.strands.task(strand);
        if task == 0 { 0 } else { self.tasks[task as usize].future.load(Relaxed) }
    }

    /// The orders in which `strand` precedes the strand of `place`. `future` is the future that the place is in, `got`
    /// the futures that it has got. If the strand is of a future that the place is not within, all of that future
    /// precedes the place if it was got, and else none of it.
    #[inline]
    pub(crate) fn before(
        &self,
        strand: Strand,
        place: &mut Place,
        future: Future,
        got: Set,
    ) -> Before {
        if self.futures.any() {
            let earlier = self.future_of(strand);
            if !self.futures.is_within(future, earlier) {
                let is_over = self.futures.contains(got, earlier);
                return Before { english: is_over, hebrew: is_over };
            }
        }
        self.strands.before(strand, place)
    }

    /// Where an access was made, and by which worker.
    pub fn place_of(&self, id: Id) -> (Site, u32) {
        (self.log.site(id), self.log.worker(id))
    }

    /// The task that made an access.
    pub fn task_of(&self, id: Id) -> Task {
        self.strands.task(self.log.strand(id))
    }

    /// A task and those around it, innermost first, without the main task.
    pub fn around(&self, task: Task) -> impl Iterator<Item = TaskInfo> {
        let mut next = task;
        std::iter::from_fn(move || {
            let number = next;
            (number != 0).then(|| {
                let slot = &self.tasks[number as usize];
                next = slot.parent.load(Relaxed);
                let (tag, site) = (slot.tag.load(Relaxed), slot.site.load(Relaxed));
                TaskInfo { number, parent: next, tag, site }
            })
        })
    }
}
