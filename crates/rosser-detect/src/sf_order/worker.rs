//! What each worker has for itself: the task that it runs, and how that stands to all others.

use crate::kind::Kind;
use crate::serial::log::Site;
use crate::serial::weak::{Hop, Via};
use crate::storage::Exhausted;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::sf_order::cell::Own;
use crate::sf_order::familiar::Familiar;
use crate::sf_order::futures::{Future, Set};
use crate::sf_order::log::{Chunk, Id};
use crate::sf_order::records::{Entries, Entry, Free, MOST, Record};
use crate::sf_order::shared::{Shared, TaskTag};
use crate::sf_order::spin::Spin;
use crate::sf_order::strands::{Before, Place, Strand, Task};
use crate::sf_order::weak::{Knowledge, Search};

/// A scope, by a number that the caller gives.
pub type ScopeId = u64;

/// Of a task that no scope joins where it is forked.
const NO_SCOPE: ScopeId = u64::MAX;

/// The task that runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Current {
    /// The number of the task.
    pub task: Task,
    future: Future,
    strand: Strand,
    /// The scope that a child has to join to fit into the tree.
    innermost: ScopeId,
    /// What it knows of others by locks and atomics.
    pub(crate) known: Knowledge,
    /// What an acquiring fence would add.
    pub(crate) at_fence: Knowledge,
    /// What its last releasing fence has released.
    pub(crate) fence_released: Knowledge,
    /// The futures that have ended before it goes on.
    got: Set,
    /// Where it asked which worker it runs on, if it did.
    asked_at: Site,
}

/// A task that can be run now, by anybody.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    current: Current,
    /// The strand that follows its fork.
    next: Strand,
}

/// What a task leaves behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ended {
    known: Knowledge,
    got: Set,
}

/// A scope that is open.
#[derive(Debug, Default)]
pub struct Scope {
    /// The strand that follows it.
    join: Strand,
    /// The scope around it, for its owner.
    outer: ScopeId,
    lock: Spin,
    known: AtomicU32,
    got: AtomicU32,
}

/// Two accesses that conflict.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    /// The access that was made before.
    pub first: Entry,
    /// What the present one does.
    pub kind: Kind,
    /// The bytes that both touch.
    pub bytes: u8,
    /// What ordered them in this run, if anything did.
    pub hop: Option<Hop>,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Tasks that were begun.
    pub tasks: u64,
    /// Steps in which something was recorded.
    pub steps: u64,
    /// Accesses that their step had not made before.
    pub accesses: u64,
    /// Pairs of updates that commute.
    pub commuting: u64,
    /// Words with more accesses than are kept.
    pub crowded: u64,
}

/// An answer: how a strand stands to the present one.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    strand: Strand,
    stamp: u32,
    before: Before,
}

/// The site of accesses that cannot be part of a conflict.
const PRIVATE: Site = 0;

const ANSWERS: usize = 512;
/// How many conflicts one access can have.
const CONFLICTS: usize = MOST + 1;

/// A thread that runs tasks, with all that it need not share.
#[derive(Debug)]
pub struct Worker {
    pub(crate) shared: &'static Shared,
    number: u32,
    /// The task that it runs.
    pub(crate) current: Current,
    place: Place,
    chunk: Chunk,
    /// The first id of the present step.
    base: Id,
    step: u32,
    private: Id,
    /// The first id since the worker last began with something else than what the last task had forked.
    run: Id,
    pub(crate) settled: Id,
    pub(crate) settled_records: Record,
    answers: [Answer; ANSWERS],
    stamp: u32,
    pub(crate) free: Free,
    /// For the accesses of the word that is being looked at.
    pub(crate) entries: Entries,
    pub(crate) familiar: Familiar,
    conflicts: Box<[Option<Conflict>]>,
    pub(crate) conflicting: usize,
    pub(crate) search: Search,
    /// What tasks have done that asked for this worker.
    left_behind: Knowledge,
    /// How often things happened since they were last taken.
    pub counts: Counts,
}

impl Worker {
    /// A worker with a number.
    pub fn new(shared: &'static Shared, number: u32) -> Self {
        let mut worker = Self {
            shared,
            number,
            current: Current::default(),
            place: Place::default(),
            chunk: Chunk::default(),
            base: 0,
            step: 0,
            private: 0,
            run: 0,
            settled: 0,
            settled_records: 0,
            answers: [Answer::default(); ANSWERS],
            stamp: 0,
            free: Free::default(),
            familiar: Familiar::default(),
            conflicts: vec![None; CONFLICTS].into(),
            entries: Entries::with_room(),
            conflicting: 0,
            search: Search::default(),
            left_behind: 0,
            counts: Counts::default(),
        };
        worker.enter_region();
        worker
    }

    /// A new region has begun, in its main task.
    pub fn enter_region(&mut self) {
        self.settled = self.shared.settled();
        self.settled_records = self.shared.settled_records();
        self.chunk = Chunk::default();
        self.base = 0;
        self.free = Free::default();
        self.familiar = Familiar::default();
        self.left_behind = 0;
        self.switch(Current { innermost: NO_SCOPE, ..Current::default() });
    }

    /// Whether it has heard of the present region.
    pub fn is_up_to_date(&self) -> bool {
        self.settled == self.shared.settled()
    }

    /// The shared part.
    pub fn shared(&self) -> &'static Shared {
        self.shared
    }

    /// The number of the task that it runs.
    pub fn task(&self) -> Task {
        self.current.task
    }

    /// The ids of the present step.
    #[inline]
    pub fn own(&self) -> Own {
        Own { base: self.base, len: self.chunk.end - self.base }
    }

    /// Another task, or another strand of the same.
    fn switch(&mut self, current: Current) {
        self.current = current;
        self.place = self.shared.strands.place(current.strand);
        self.forget_answers();
        self.begin_step();
    }

    fn forget_answers(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.answers.fill(Answer::default());
            self.stamp = 1;
        }
    }

    /// What is done from now on is to be told apart from what was done before.
    pub(crate) fn begin_step(&mut self) {
        self.base = self.chunk.next;
        self.step = self.step.wrapping_add(1);
    }

    /// The number of the present step.
    #[inline]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// A new id for what the present step does at a place.
    pub fn id_of(&mut self, site: Site) -> Result<Id, Exhausted> {
        let id = self.next_id()?;
        self.counts.steps += u64::from(id == self.base);
        self.chunk.next += 1;
        self.shared.log.set(id, self.current.strand, site, self.shared.weak.now());
        self.shared.note_progress(self.number, self.chunk.next);
        Ok(id)
    }

    /// The id that comes next.
    pub(crate) fn next_id(&mut self) -> Result<Id, Exhausted> {
        if self.chunk.next == self.chunk.end {
            self.chunk = self.shared.log.take_chunk(self.number)?;
            // What the step has done before is taken for that of an earlier one, which costs a little.
            (self.base, self.run) = (self.chunk.next, self.chunk.next);
        }
        Ok(self.chunk.next)
    }

    /// The id of accesses that cannot be part of a conflict.
    #[inline]
    pub(crate) fn private_id(&mut self) -> Result<Id, Exhausted> {
        if !self.is_own(self.private) {
            self.private = self.id_of(PRIVATE)?;
        }
        Ok(self.private)
    }

    /// The present strand, and the futures that it has got.
    pub(crate) fn strand_and_got(&self) -> (Strand, Set) {
        (self.current.strand, self.current.got)
    }

    /// Whether an access was made by the present step.
    #[inline]
    pub fn is_own(&self, id: Id) -> bool {
        id >= self.base && id < self.chunk.next
    }

    /// The worker does something else than what the last task has forked.
    pub fn begin_run(&mut self) {
        self.run = self.chunk.next;
    }

    /// Whether an access was made by this worker since then.
    #[inline]
    pub(crate) fn is_of_this_run(&self, id: Id) -> bool {
        id >= self.run && id < self.chunk.next
    }

    /// Which orders have an earlier access before the present strand.
    #[inline]
    pub(crate) fn before(&mut self, id: Id) -> Before {
        const ALL: Before = Before { english: true, hebrew: true };
        if id < self.settled {
            return ALL;
        }
        let strand = self.shared.log.strand(id);
        if strand == self.current.strand {
            return ALL;
        }
        let slot = strand as usize % ANSWERS;
        let answer = self.answers[slot];
        if answer.strand == strand && answer.stamp == self.stamp {
            return answer.before;
        }
        let Current { future, got, .. } = self.current;
        let before = self.shared.before(strand, &mut self.place, future, got);
        self.answers[slot] = Answer { strand, stamp: self.stamp, before };
        before
    }

    /// Whether an access is of the same future as the present strand.
    #[inline]
    pub(crate) fn is_of_same_future(&self, id: Id) -> bool {
        !self.shared.futures.any()
            || id < self.settled
            || self.shared.future_of(self.shared.log.strand(id)) == self.current.future
    }

    /// Whether somebody who knows `known` knows of an access.
    pub(crate) fn knows(&mut self, known: Knowledge, id: Id) -> Option<Hop> {
        let Self { shared, search, .. } = self;
        let precedes = |first: Strand, second: Strand, got: Set| {
            let mut place = shared.strands.place(second);
            shared.before(first, &mut place, shared.future_of(second), got).precedes()
        };
        shared.weak.knows(known, id, &shared.log, search, precedes)
    }

    /// Remembers a conflict of the present access.
    pub(crate) fn conflict(&mut self, first: Entry, kind: Kind, bytes: u8) {
        if self.conflicting < CONFLICTS {
            self.conflicts[self.conflicting] = Some(Conflict { first, kind, bytes, hop: None });
            self.conflicting += 1;
        }
    }

    /// What the last access was in conflict with, each once.
    pub fn take_conflict(&mut self) -> Option<Conflict> {
        let last = self.conflicting.checked_sub(1)?;
        self.conflicting = last;
        let mut conflict = self.conflicts[last].take()?;
        conflict.hop = self.knows(self.current.known, conflict.first.id);
        Some(conflict)
    }

    /// Whether the last access was in conflict with anything.
    #[inline]
    pub fn has_conflicts(&self) -> bool {
        self.conflicting != 0
    }

    fn start(&mut self, future: Future, tag: TaskTag, site: Site) -> Result<Current, Exhausted> {
        let Current { task, known, got, .. } = self.current;
        let child = self.shared.add_task(task, future, tag, site)?;
        self.counts.tasks += 1;
        Ok(Current { task: child, future, known, got, ..Current::default() })
    }

    /// Forks two tasks, which the present one then waits for. Returns them and the strand that follows.
    pub fn fork_two(
        &mut self,
        id: ScopeId,
        tags: [TaskTag; 2],
        site: Site,
    ) -> Result<([Start; 2], Strand), Exhausted> {
        let Current { task, future, strand, .. } = self.current;
        let a = self.start(future, tags[0], site)?;
        let b = self.start(future, tags[1], site)?;
        let (strands, join) = self.shared.strands.fork_two(strand, task, [a.task, b.task])?;
        let start = |current: Current, strand| Start {
            current: Current { strand, innermost: id, ..current },
            next: join,
        };
        Ok(([start(a, strands[0]), start(b, strands[1])], join))
    }

    /// Goes on after two forked tasks have ended.
    pub fn join_two(&mut self, join: Strand, ended: [Ended; 2]) -> Result<(), Exhausted> {
        let mut current = Current { strand: join, ..self.current };
        for Ended { known, got } in ended {
            current.known = self.shared.weak.both(current.known, known)?;
            current.got = self.shared.futures.both(current.got, got)?;
        }
        self.switch(current);
        Ok(())
    }

    /// Runs a task from now on. Returns the one that ran.
    pub fn begin(&mut self, start: &Start) -> Result<Current, Exhausted> {
        self.leave_worker()?;
        let outer = self.current;
        self.switch(start.current);
        Ok(outer)
    }

    /// The task that runs has ended; goes on with another, where that was.
    pub fn end(&mut self, outer: Current) -> Result<Ended, Exhausted> {
        self.leave_worker()?;
        let Current { known, got, .. } = self.current;
        self.switch(outer);
        if outer.asked_at != 0 {
            self.ask_for_worker(outer.asked_at)?;
        }
        Ok(Ended { known, got })
    }

    /// The task that runs asked which worker it runs on. What belongs to a worker, tasks use one after
    /// the other.
    pub fn ask_for_worker(&mut self, place: Site) -> Result<(), Exhausted> {
        self.current.asked_at = place;
        let known = self.shared.weak.acquire(self.current.known, self.left_behind, place)?;
        self.current.known = known;
        Ok(())
    }

    /// Another task is going to use what belongs to the worker.
    fn leave_worker(&mut self) -> Result<(), Exhausted> {
        let place = self.current.asked_at;
        if place != 0 {
            let released = self.release(place, Via::SameWorker)?;
            self.left_behind = self.shared.weak.both(released, self.left_behind)?;
        }
        Ok(())
    }

    /// The task that runs opens a scope.
    pub fn scope_begin(&mut self, id: ScopeId) -> Result<Scope, Exhausted> {
        let Current { task, strand, innermost, .. } = self.current;
        let join = self.shared.strands.scope(strand, task)?;
        self.current.innermost = id;
        Ok(Scope { join, outer: innermost, ..Scope::default() })
    }

    /// All that was forked into a scope has ended.
    pub fn scope_end(&mut self, scope: &Scope) -> Result<(), Exhausted> {
        let Current { known, got, .. } = self.current;
        let current = Current {
            strand: scope.join,
            innermost: scope.outer,
            // Relaxed: all that was forked into the scope has ended before (P1).
            known: self.shared.weak.both(known, scope.known.load(Relaxed))?,
            got: self.shared.futures.both(got, scope.got.load(Relaxed))?,
            ..self.current
        };
        self.switch(current);
        Ok(())
    }

    /// Forks a task into a scope, or into none, and goes on.
    pub fn spawn(
        &mut self,
        scope: Option<ScopeId>,
        tag: TaskTag,
        site: Site,
    ) -> Result<Start, Exhausted> {
        self.fork(scope == Some(self.current.innermost), tag, site)
    }

    /// Forks a task that can be got, and goes on. A scope joins it, too, whichever.
    pub fn spawn_future(&mut self, tag: TaskTag, site: Site) -> Result<Start, Exhausted> {
        self.fork(false, tag, site)
    }

    fn fork(&mut self, is_in_tree: bool, tag: TaskTag, site: Site) -> Result<Start, Exhausted> {
        let Current { task, future, strand, innermost, .. } = self.current;
        let future = if is_in_tree { future } else { self.shared.futures.create(future)? };
        let child = self.start(future, tag, site)?;
        let (child_strand, next) = self.shared.strands.fork(strand, task, child.task)?;
        self.switch(Current { strand: next, ..self.current });
        let innermost = if is_in_tree { innermost } else { NO_SCOPE };
        Ok(Start { current: Current { strand: child_strand, innermost, ..child }, next })
    }

    /// Whether the task that runs may get a future: what followed its creation precedes.
    ///
    /// On that rests that whoever follows a part of a future without being within it follows all of it,
    /// so that one number says what was got. A task that comes by a future otherwise, in memory that it
    /// shares with others, may follow a future that the first has created, and not the first.
    pub fn may_get(&mut self, start: &Start) -> bool {
        let Current { strand, future, got, .. } = self.current;
        start.next == strand
            || self.shared.before(start.next, &mut self.place, future, got).precedes()
    }

    /// The task that runs has got a future, which has ended.
    ///
    /// Its strand goes on: whatever follows what it did before follows what it does now, and the other way
    /// round. What it knows of other strands is asked for anew.
    pub fn get(&mut self, start: &Start, ended: Ended) -> Result<(), Exhausted> {
        let futures = &self.shared.futures;
        let got = futures.both(ended.got, futures.only(start.current.future)?)?;
        let current = Current {
            got: futures.both(self.current.got, got)?,
            known: self.shared.weak.both(self.current.known, ended.known)?,
            ..self.current
        };
        self.switch(current);
        Ok(())
    }

    /// The task that runs begins an isolated section: no other is under way.
    pub fn isolated_begin(&mut self, place: Site) -> Result<(), Exhausted> {
        // Relaxed: sections exclude each other, so the last one happened before (S7).
        let released = self.shared.isolated.load(Relaxed);
        self.current.known = self.shared.weak.acquire(self.current.known, released, place)?;
        Ok(())
    }

    /// The task that runs ends its isolated section.
    pub fn isolated_end(&mut self, place: Site) -> Result<(), Exhausted> {
        let released = self.release(place, Via::ReleaseAcquire)?;
        let released = self.shared.weak.both(released, self.shared.isolated.load(Relaxed))?;
        self.shared.isolated.store(released, Relaxed);
        Ok(())
    }

    /// A task that was forked into a scope has ended: whoever ends the scope knows what it knew.
    pub fn absorb(&self, scope: &Scope, start: &Start, ended: Ended) -> Result<(), Exhausted> {
        let is_future = start.current.innermost == NO_SCOPE;
        let learnt = ended.known != start.current.known;
        if !is_future && !learnt && ended.got == start.current.got {
            return Ok(());
        }
        // Relaxed from here on: under the lock.
        let _held = scope.lock.lock();
        if learnt {
            let known = self.shared.weak.both(scope.known.load(Relaxed), ended.known)?;
            scope.known.store(known, Relaxed);
        }
        let mut got = self.shared.futures.both(scope.got.load(Relaxed), ended.got)?;
        if is_future {
            got = self.shared.futures.both(got, self.shared.futures.only(start.current.future)?)?;
        }
        scope.got.store(got, Relaxed);
        Ok(())
    }
}
