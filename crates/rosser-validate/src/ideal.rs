//! Prediction by ideals that keep values.
//!
//! An *ideal* is a set of actions that could have been all that happened: with an action it has what its thread did
//! before, the fork of its thread, all of a thread that it joined, the set of a flag that it got, and the writes that a
//! read found. Of the recorded order, restricted to the ideal, the locks, semaphores and atomic operations must be able
//! to do what they did: no section opens while one that excludes it is open, no P finds a count of zero, and each atomic
//! read finds the value that it found. Where they are not, the ideal grows by what was left out too much.
//!
//! Every thread then finds what it found in the recorded execution, so it does the same. If neither of two conflicting
//! accesses has to be in the least ideal of what precedes both, the program can come to where both are next: they race.
//! The restricted order is the schedule. For locks this is the closure of sync-preserving races (U. Mathur, A. Pavlogiannis
//! and M. Viswanathan, *Optimal Prediction of Synchronization-Preserving Races*, POPL 2021); that values and counters
//! are kept instead of lock orders, and that plain accesses need no recorded order, is new here.
//!
//! A read whose writes are not known makes the answer depend on other races: the ideal says on which.

use rosser_detect::Access;
use rustc_hash::FxHashMap;

use crate::execution::{self, Act, ActionId, Execution, Lock, Semaphore, Thread, Word};
use crate::knowledge::{Found, Knowledge};

/// A set of actions, and the order in which a schedule takes them.
#[derive(Clone, Debug)]
pub struct Ideal {
    /// The actions, in the order of the schedule.
    pub schedule: Vec<ActionId>,
    /// Pairs of accesses that race, and on whose order the ideal depends.
    pub depends: Vec<(ActionId, ActionId)>,
}

/// Which V is added where a P lacks one: the least ideal of a semaphore is not unique.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacking {
    /// The one recorded first.
    First,
    /// The one recorded last before the P.
    Last,
}

/// Some part of the schedule cannot be as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impossible;

/// The least ideal of what precedes two accesses of different threads, without the two.
pub fn of_pair(
    execution: &Execution,
    knowledge: &Knowledge,
    (a, b): (ActionId, ActionId),
    lacking: Lacking,
) -> Result<Ideal, Impossible> {
    let mut closure = Closure::new(execution, knowledge, (a, b), lacking);
    closure.start()?;
    closure.finish()
}

/// An ideal that grows.
pub(crate) struct Closure<'a> {
    execution: &'a Execution,
    knowledge: &'a Knowledge,
    pair: (ActionId, ActionId),
    lacking: Lacking,
    forks: Vec<Option<ActionId>>,
    /// How many actions of each thread are in it.
    cut: Vec<usize>,
    /// Actions that were added and not yet looked at: a thread and a range.
    work: Vec<(Thread, usize, usize)>,
    depends: Vec<(ActionId, ActionId)>,
    /// Actions of this thread from this position on come after all others.
    pub(crate) tail: Option<(Thread, usize)>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(
        execution: &'a Execution,
        knowledge: &'a Knowledge,
        pair: (ActionId, ActionId),
        lacking: Lacking,
    ) -> Self {
        let mut forks = vec![None; execution.thread_count()];
        for (id, action) in execution.ids() {
            if let Act::Fork(child) = action.act {
                forks[child.index()] = Some(id);
            }
        }
        Self {
            execution,
            knowledge,
            pair,
            lacking,
            forks,
            cut: vec![0; execution.thread_count()],
            work: Vec::new(),
            depends: Vec::new(),
            tail: None,
        }
    }

    /// Adds what precedes the two in their threads.
    pub(crate) fn start(&mut self) -> Result<(), Impossible> {
        for id in [self.pair.0, self.pair.1] {
            let action = self.execution.action(id);
            if let Some(fork) = self.forks[action.thread.index()] {
                self.require(fork)?;
            }
            self.extend(action.thread, action.position as usize)?;
        }
        self.close()
    }

    /// Grows until the schedule can be taken, and gives it.
    pub(crate) fn finish(mut self) -> Result<Ideal, Impossible> {
        loop {
            let schedule = self.schedule();
            let missing = Scan::of(&self, &schedule)?;
            if missing.is_empty() {
                self.depends.sort_unstable();
                self.depends.dedup();
                return Ok(Ideal { schedule, depends: self.depends });
            }
            for action in missing {
                self.require(action)?;
            }
            self.close()?;
        }
    }

    fn has(&self, id: ActionId) -> bool {
        let action = self.execution.action(id);
        (action.position as usize) < self.cut[action.thread.index()]
    }

    /// Whether an action is in the part that comes last.
    fn is_late(&self, id: ActionId) -> bool {
        let action = self.execution.action(id);
        self.tail.is_some_and(|(thread, from)| {
            action.thread == thread && action.position as usize >= from
        })
    }

    fn require(&mut self, id: ActionId) -> Result<(), Impossible> {
        let action = self.execution.action(id);
        self.extend(action.thread, action.position as usize + 1)
    }

    fn extend(&mut self, thread: Thread, to: usize) -> Result<(), Impossible> {
        let from = self.cut[thread.index()];
        if to <= from {
            return Ok(());
        }
        self.cut[thread.index()] = to;
        if self.has(self.pair.0) || self.has(self.pair.1) {
            return Err(Impossible);
        }
        self.work.push((thread, from, to));
        Ok(())
    }

    /// Adds what must be there in any order.
    fn close(&mut self) -> Result<(), Impossible> {
        while let Some((thread, from, to)) = self.work.pop() {
            if from == 0
                && let Some(fork) = self.forks[thread.index()]
            {
                self.require(fork)?;
            }
            for at in from..to {
                self.close_action(self.execution.of_thread(thread)[at])?;
            }
        }
        Ok(())
    }

    fn close_action(&mut self, id: ActionId) -> Result<(), Impossible> {
        match self.execution.action(id).act {
            Act::Join(child) => {
                if let Some(fork) = self.forks[child.index()] {
                    self.require(fork)?;
                }
                self.extend(child, self.execution.of_thread(child).len())
            }
            Act::Get(flag) => {
                let set = self.knowledge.set_of(flag).ok_or(Impossible)?;
                self.require(set)
            }
            // An atomic read may find its value elsewhere: the scan decides. A plain write may have left it.
            Act::Atomic { .. } | Act::Access { .. } => match self.knowledge.found(id) {
                Some(Found::Writes(writes)) => self.require_writes(id, writes),
                Some(Found::Unknown(racing)) => {
                    self.depends.extend(racing);
                    Ok(())
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn require_writes(&mut self, read: ActionId, writes: &[ActionId]) -> Result<(), Impossible> {
        let reads_atomically = !self.execution.action(read).act.is_computation();
        for &write in writes {
            let action = self.execution.action(write);
            let writes_atomically = !action.act.is_computation();
            if reads_atomically && writes_atomically {
                continue;
            }
            self.require(write)?;
            if self.execution.only_first_touches && !writes_atomically {
                // The write that was found may be a later one of the same segment.
                let own = self.execution.of_thread(action.thread);
                let is_computation =
                    |id: &ActionId| self.execution.action(*id).act.is_computation();
                let rest = &own[action.position as usize..];
                let length = rest.iter().take_while(|id| is_computation(id)).count();
                if action.thread != self.execution.action(read).thread {
                    self.extend(action.thread, action.position as usize + length)?;
                }
            }
        }
        Ok(())
    }

    /// The actions in the order in which they would be taken.
    fn schedule(&self) -> Vec<ActionId> {
        let threads = (0..self.cut.len()).map(|thread| Thread(thread as u32));
        let mut all: Vec<ActionId> = threads
            .flat_map(|thread| &self.execution.of_thread(thread)[..self.cut[thread.index()]])
            .copied()
            .collect();
        all.sort_unstable_by_key(|id| (self.is_late(*id), *id));
        all
    }
}

/// Goes through a schedule and collects what is missing in it.
struct Scan<'a> {
    closure: &'a Closure<'a>,
    missing: Vec<ActionId>,
    /// Who is in a section: the acquire, and whether it is shared.
    open: FxHashMap<Lock, Vec<(ActionId, bool)>>,
    counts: Vec<u32>,
    /// The writes that make up a word's content.
    contents: FxHashMap<Word, Vec<ActionId>>,
}

impl<'a> Scan<'a> {
    fn of(closure: &'a Closure<'a>, schedule: &[ActionId]) -> Result<Vec<ActionId>, Impossible> {
        let mut scan = Self {
            closure,
            missing: Vec::new(),
            open: FxHashMap::default(),
            counts: closure.execution.semaphores().to_vec(),
            contents: FxHashMap::default(),
        };
        for &id in schedule {
            scan.take(id)?;
        }
        Ok(scan.missing)
    }

    fn take(&mut self, id: ActionId) -> Result<(), Impossible> {
        let action = self.closure.execution.action(id);
        match action.act {
            Act::Acquire { lock, shared } => {
                let open = self.open.get(&lock).cloned().unwrap_or_default();
                for (acquire, also_shared) in open {
                    let same = self.closure.execution.action(acquire).thread == action.thread;
                    let both_share = shared && also_shared;
                    if !same && !both_share {
                        let release = self.closure.knowledge.release_of(acquire);
                        self.must_come_first(release.ok_or(Impossible)?, id)?;
                    }
                }
                self.open.entry(lock).or_default().push((id, shared));
            }
            Act::Release(lock) => {
                let open = self.open.entry(lock).or_default();
                let thread = |acquire| self.closure.execution.action(acquire).thread;
                open.retain(|(acquire, _)| thread(*acquire) != action.thread);
            }
            Act::Signal(semaphore) => self.counts[semaphore.0 as usize] += 1,
            Act::Wait(semaphore) => {
                let count = &mut self.counts[semaphore.0 as usize];
                if *count > 0 {
                    *count -= 1;
                } else {
                    let signal = self.lacking(semaphore, id).ok_or(Impossible)?;
                    self.missing.push(signal);
                }
            }
            Act::Atomic { word, found, left, .. } => {
                if let Some(value) = found {
                    self.read_atomically(word, value, id)?;
                }
                if left.is_some() {
                    self.contents.insert(word, vec![id]);
                }
            }
            Act::Access { word, access, .. } => match access {
                Access::Update(_) => self.contents.entry(word).or_default().push(id),
                _ if access.writes() => {
                    self.contents.insert(word, vec![id]);
                }
                _ => self.read(word, id)?,
            },
            Act::Fork(_) | Act::Join(_) | Act::Set(_) | Act::Get(_) => {}
        }
        Ok(())
    }

    /// Adds something that must be there before `later` is taken.
    fn must_come_first(&mut self, id: ActionId, later: ActionId) -> Result<(), Impossible> {
        let is_late = self.closure.is_late(id);
        let comes_first = !is_late && (self.closure.is_late(later) || id < later);
        if self.closure.has(id) || !comes_first {
            // It is there, and comes too late.
            return Err(Impossible);
        }
        self.missing.push(id);
        Ok(())
    }

    /// A V that is not there and could come before a P.
    fn lacking(&self, semaphore: Semaphore, wait: ActionId) -> Option<ActionId> {
        let closure = self.closure;
        let fits = |id: &ActionId| {
            !closure.has(*id)
                && !self.missing.contains(id)
                && !closure.is_late(*id)
                && (closure.is_late(wait) || *id < wait)
        };
        let mut fitting = closure.knowledge.signals_of(semaphore).iter().copied().filter(fits);
        match closure.lacking {
            Lacking::First => fitting.next(),
            Lacking::Last => fitting.next_back(),
        }
    }

    /// A plain read. That all writes it found are there, the closure has seen to; others may be in between only where
    /// the order is not the recorded one.
    fn read(&self, word: Word, id: ActionId) -> Result<(), Impossible> {
        if self.closure.tail.is_none() {
            return Ok(());
        }
        let Some(Found::Writes(writes)) = self.closure.knowledge.found(id) else { return Ok(()) };
        let content = self.contents.get(&word).map_or(&[][..], Vec::as_slice);
        let exchangeable = |a: &ActionId, b: &ActionId| {
            let access = |id: &ActionId| self.closure.execution.action(*id).act.touched();
            let (a, b) = (access(a), access(b));
            a.zip(b).is_some_and(|((_, a), (_, b))| !execution::depend(a, b))
        };
        // Accumulations that commute may have been made in another order.
        let mut wanted = writes.iter();
        let same = content.len() == writes.len()
            && content.iter().all(|id| writes.contains(id))
            && (content.iter().all(|id| wanted.next() == Some(id))
                || content.iter().all(|a| content.iter().all(|b| a == b || exchangeable(a, b))));
        if same { Ok(()) } else { Err(Impossible) }
    }

    /// An atomic read: the word must have the value that it found, whoever left it.
    fn read_atomically(&mut self, word: Word, value: u64, id: ActionId) -> Result<(), Impossible> {
        let content = self.contents.get(&word).map_or(&[][..], Vec::as_slice);
        let closure = self.closure;
        let left = |write: ActionId| match closure.execution.action(write).act {
            Act::Atomic { left, .. } => left,
            Act::Access { value, .. } => value,
            _ => None,
        };
        let there = match content {
            [] => closure.knowledge.initial_of(word),
            [write] => left(*write),
            _ => None,
        };
        if there == Some(value) {
            return Ok(());
        }
        match closure.knowledge.found(id) {
            Some(Found::Writes(writes)) if writes == content => Ok(()),
            Some(Found::Writes(writes)) => match writes.last() {
                Some(&write) => self.must_come_first(write, id),
                None => Err(Impossible),
            },
            // It depends on a race in any case.
            Some(Found::Unknown(_)) | None => Ok(()),
        }
    }
}
