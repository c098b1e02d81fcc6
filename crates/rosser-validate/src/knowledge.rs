//! What each read found, as far as that is known: which writes.
//!
//! A read finds the last write before it and the accumulations since. Where synchronisation orders all of them, that is
//! known from any record. Where it does not, the read races, and only a record of the true order tells
//! (see [`crate::precise`]). Of a record that is not complete, what a read found is known only if all that is missing came
//! after it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::events::Events;
use crate::execution::{self, Act, ActionId, Execution, Flag, Semaphore, Thread, Word};
use crate::order::Order;

/// Which writes a read found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// These, in recorded order: a write that leaves a value, unless the word had its first one, and accumulations.
    Writes(Vec<ActionId>),
    /// It is not known: these writes race, with the read or with each other.
    Unknown(Vec<(ActionId, ActionId)>),
}

/// What is known of the reads of an execution.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    found: FxHashMap<ActionId, Found>,
    releases: FxHashMap<ActionId, ActionId>,
    sets: FxHashMap<Flag, ActionId>,
    signals: FxHashMap<Semaphore, Vec<ActionId>>,
    initial: FxHashMap<Word, u64>,
    /// Whether the true order of all accesses is known.
    pub is_precise: bool,
}

impl Knowledge {
    /// What the order alone tells, or, if `is_precise`, what the recorded order of all accesses does.
    pub fn of(execution: &Execution, events: &Events, order: &Order, is_precise: bool) -> Self {
        let mut writes: FxHashMap<Word, Vec<ActionId>> = FxHashMap::default();
        for (id, action) in execution.ids() {
            if let Some((word, access)) = action.act.touched()
                && access.writes()
            {
                writes.entry(word).or_default().push(id);
            }
        }
        let mut found = FxHashMap::default();
        for (id, action) in execution.ids() {
            if let Some((word, access)) = action.act.touched()
                && (!access.writes() || reads_and_writes(execution, id))
            {
                let writes = writes.get(&word).map_or(&[][..], Vec::as_slice);
                let look = Look { execution, events, order };
                let sources = if is_precise {
                    look.true_sources(writes, id)
                } else {
                    look.sources(writes, id)
                };
                found.insert(id, sources);
            }
        }
        let mut all = Self { found, is_precise, ..Self::default() };
        all.note_synchronisation(execution);
        all
    }

    fn note_synchronisation(&mut self, execution: &Execution) {
        let mut open = FxHashMap::default();
        let mut written = FxHashSet::default();
        for (id, action) in execution.ids() {
            match action.act {
                Act::Acquire { lock, .. } => {
                    open.insert((action.thread, lock), id);
                }
                Act::Release(lock) => {
                    if let Some(acquire) = open.remove(&(action.thread, lock)) {
                        self.releases.insert(acquire, id);
                    }
                }
                Act::Set(flag) => {
                    self.sets.entry(flag).or_insert(id);
                }
                Act::Signal(semaphore) => self.signals.entry(semaphore).or_default().push(id),
                Act::Atomic { word, found: Some(value), .. } if !written.contains(&word) => {
                    self.initial.entry(word).or_insert(value);
                }
                _ => {}
            }
            if let Some((word, access)) = action.act.touched()
                && access.writes()
            {
                written.insert(word);
            }
        }
    }

    /// What a read found; nothing for what does not read.
    pub fn found(&self, read: ActionId) -> Option<&Found> {
        self.found.get(&read)
    }

    /// The end of the section that an acquire opens.
    pub fn release_of(&self, acquire: ActionId) -> Option<ActionId> {
        self.releases.get(&acquire).copied()
    }

    /// Who sets a flag.
    pub fn set_of(&self, flag: Flag) -> Option<ActionId> {
        self.sets.get(&flag).copied()
    }

    /// The Vs of a semaphore, in recorded order.
    pub fn signals_of(&self, semaphore: Semaphore) -> &[ActionId] {
        self.signals.get(&semaphore).map_or(&[], Vec::as_slice)
    }

    /// What a word had before anybody wrote it, if an atomic operation found that.
    pub fn initial_of(&self, word: Word) -> Option<u64> {
        self.initial.get(&word).copied()
    }
}

/// Whether an action is an atomic read-modify-write.
fn reads_and_writes(execution: &Execution, id: ActionId) -> bool {
    let act = execution.action(id).act;
    matches!(act, Act::Atomic { found: Some(_), left: Some(_), .. })
}

struct Look<'a> {
    execution: &'a Execution,
    events: &'a Events,
    order: &'a Order,
}

impl Look<'_> {
    /// The last write before a read and the accumulations since, by the recorded order.
    fn true_sources(&self, writes: &[ActionId], read: ActionId) -> Found {
        let before = &writes[..writes.partition_point(|write| *write < read)];
        let last = before.iter().rposition(|write| !self.accumulates(*write)).unwrap_or(0);
        Found::Writes(before[last..].to_vec())
    }

    /// The same where synchronisation or the record of atomic operations orders them all.
    fn sources(&self, writes: &[ActionId], read: ActionId) -> Found {
        let racing: Vec<(ActionId, ActionId)> = writes
            .iter()
            .filter(|write| **write != read && !self.is_ordered(**write, read))
            .map(|write| (read, *write))
            .collect();
        if !racing.is_empty() {
            return Found::Unknown(racing);
        }
        if self.execution.incomplete.iter().any(|thread| !self.is_over_before_end(read, *thread)) {
            // It may have found what is missing.
            return Found::Unknown(vec![(read, read)]);
        }
        let Found::Writes(sources) = self.true_sources(writes, read) else { unreachable!() };
        let before = &writes[..writes.partition_point(|write| *write < read)];
        // Each of them is where it is whatever happened to the others: no two that depend on each other race, and
        // what came before the last write that leaves a value did so in any case.
        let mut racing = Vec::new();
        for (at, a) in sources.iter().enumerate() {
            let others = before[..before.len() - sources.len()].iter().filter(|_| at == 0);
            for b in others.chain(&sources[at + 1..]) {
                let depends = execution::depend(self.access(*a), self.access(*b));
                if depends && !self.is_ordered(*a, *b) {
                    racing.push((*a, *b));
                }
            }
        }
        if racing.is_empty() { Found::Writes(sources) } else { Found::Unknown(racing) }
    }

    fn access(&self, id: ActionId) -> rosser_detect::Access {
        let touched = self.execution.action(id).act.touched();
        touched.expect("only accesses are asked for").1
    }

    /// Whether a read came before all that is missing of a thread.
    fn is_over_before_end(&self, read: ActionId, thread: Thread) -> bool {
        if self.execution.action(read).thread == thread {
            return true;
        }
        let last = self.execution.of_thread(thread).last();
        last.is_some_and(|last| {
            self.order.precedes(self.events.of_action(read), self.events.of_action(*last))
        })
    }

    fn accumulates(&self, id: ActionId) -> bool {
        matches!(self.access(id), rosser_detect::Access::Update(_))
    }

    /// Whether it is known which of two accesses came first.
    fn is_ordered(&self, a: ActionId, b: ActionId) -> bool {
        let (one, other) = (self.execution.action(a), self.execution.action(b));
        let atomic = !one.act.is_computation() && !other.act.is_computation();
        if atomic || one.thread == other.thread {
            return true;
        }
        let (a, b) = (self.events.of_action(a), self.events.of_action(b));
        !self.order.unordered(a, b)
    }
}
