//! Schedules as proofs, and a checker that knows nothing of how they were found.
//!
//! The checker is a machine of its own: threads, locks, counters, flags and memory. It takes a schedule action by action
//! and refuses what could not be done there: an action out of its thread's order, a closed lock, a count of zero, a
//! value other than the recorded one. At the end the two threads must stand before the two accesses.

use std::collections::HashMap;

use rosser_detect::Access;

use crate::execution::{self, Act, ActionId, Execution, Flag, Lock, Thread, Word};

/// A schedule that leads to where two accesses are next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What happens, in order.
    pub schedule: Vec<ActionId>,
    /// The access that its thread makes next.
    pub first: ActionId,
    /// The one that another thread makes next.
    pub second: ActionId,
}

/// Why a schedule proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An action is not the next of its thread.
    OutOfTurn(ActionId),
    /// Its thread does not exist yet.
    NotStarted(ActionId),
    /// It waits for something.
    Blocked(ActionId),
    /// It finds something else than what it found when it was recorded.
    Differs(ActionId),
    /// At the end a thread does not stand before its access.
    NotThere(ActionId),
    /// The two accesses do not race.
    NoConflict,
}

impl Witness {
    /// Takes the schedule on the machine.
    pub fn check(&self, execution: &Execution) -> Result<(), Fault> {
        let recorded = recorded_contents(execution);
        let mut machine = Machine::new(execution, &recorded);
        for &id in &self.schedule {
            machine.take(id)?;
        }
        for id in [self.first, self.second] {
            let action = execution.action(id);
            let at = machine.position[action.thread.index()];
            if at != action.position as usize || !machine.has_started(action.thread) {
                return Err(Fault::NotThere(id));
            }
        }
        let (a, b) = (execution.action(self.first), execution.action(self.second));
        match (a.act.touched(), b.act.touched()) {
            (Some((word, one)), Some((other_word, other)))
                if word == other_word && a.thread != b.thread && execution::race(one, other) =>
            {
                Ok(())
            }
            _ => Err(Fault::NoConflict),
        }
    }
}

/// Takes a whole execution in its recorded order: it must be possible as it was recorded.
pub fn check_record(execution: &Execution) -> Result<(), Fault> {
    let recorded = recorded_contents(execution);
    let mut machine = Machine::new(execution, &recorded);
    execution.ids().try_for_each(|(id, _)| machine.take(id))
}

/// What is in a word: a value, if it is known, or else who wrote it; and the accumulations since.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Content {
    base: Base,
    since: Vec<ActionId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Base {
    Initial,
    Value(u64),
    WrittenBy(ActionId),
}

impl Content {
    const INITIAL: Self = Self { base: Base::Initial, since: Vec::new() };

    /// Whether two contents are certainly the same.
    fn is_same(&self, other: &Self, execution: &Execution) -> bool {
        if self.base != other.base || self.since.len() != other.since.len() {
            return false;
        }
        if self.since == other.since {
            return true;
        }
        let operator = |id: &ActionId| match execution.action(*id).act.touched() {
            Some((_, Access::Update(operator))) => Some(operator),
            _ => None,
        };
        let first = self.since.first().and_then(operator);
        let all = self.since.iter().chain(&other.since);
        let (mut mine, mut theirs) = (self.since.clone(), other.since.clone());
        mine.sort_unstable();
        theirs.sort_unstable();
        mine == theirs
            && first.is_some_and(|it| it.commutes_with(it))
            && all.clone().all(|id| operator(id) == first)
    }
}

/// How an action changes a word.
fn change(execution: &Execution, memory: &mut HashMap<Word, Content>, id: ActionId) {
    let act = execution.action(id).act;
    let base = |value: Option<u64>| value.map_or(Base::WrittenBy(id), Base::Value);
    match act {
        Act::Access { word, access: Access::Update(_), .. } => {
            memory.entry(word).or_insert(Content::INITIAL).since.push(id);
        }
        Act::Access { word, access, value } if access.writes() => {
            memory.insert(word, Content { base: base(value), since: Vec::new() });
        }
        Act::Atomic { word, left: Some(value), .. } => {
            memory.insert(word, Content { base: Base::Value(value), since: Vec::new() });
        }
        _ => {}
    }
}

/// What words held before anybody wrote them, where a read that was recorded before all writes says so.
fn initial_contents(execution: &Execution) -> HashMap<Word, Content> {
    let mut first: HashMap<Word, Content> = HashMap::new();
    for (_, action) in execution.ids() {
        let Some((word, _)) = action.act.touched() else { continue };
        let value = match action.act {
            Act::Atomic { found, .. } => found,
            Act::Access { access: Access::Read, value, .. } => value,
            _ => None,
        };
        let base = value.map_or(Base::Initial, Base::Value);
        first.entry(word).or_insert(Content { base, since: Vec::new() });
    }
    first
}

/// What each read found when it was recorded, as content.
pub(crate) fn recorded_contents(execution: &Execution) -> HashMap<ActionId, Content> {
    let mut memory = initial_contents(execution);
    let mut found = HashMap::new();
    for (id, action) in execution.ids() {
        if let Act::Atomic { word, found: Some(_), .. }
        | Act::Access { word, access: Access::Read, .. } = action.act
        {
            found.insert(id, memory.get(&word).cloned().unwrap_or(Content::INITIAL));
        }
        change(execution, &mut memory, id);
    }
    found
}

/// The machine; see the module documentation.
#[derive(Clone)]
pub(crate) struct Machine<'a> {
    execution: &'a Execution,
    recorded: &'a HashMap<ActionId, Content>,
    position: Vec<usize>,
    /// Threads that somebody forks, and whether that has happened.
    started: HashMap<Thread, bool>,
    set: Vec<Flag>,
    counts: Vec<u32>,
    open: Vec<(Lock, Thread, bool)>,
    memory: HashMap<Word, Content>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(execution: &'a Execution, recorded: &'a HashMap<ActionId, Content>) -> Self {
        let forks = execution.ids().filter_map(|(_, action)| match action.act {
            Act::Fork(child) => Some((child, false)),
            _ => None,
        });
        Self {
            execution,
            recorded,
            position: vec![0; execution.thread_count()],
            started: forks.collect(),
            set: Vec::new(),
            counts: execution.semaphores().to_vec(),
            open: Vec::new(),
            memory: initial_contents(execution),
        }
    }

    fn has_started(&self, thread: Thread) -> bool {
        self.started.get(&thread).copied().unwrap_or(true)
    }

    pub(crate) fn take(&mut self, id: ActionId) -> Result<(), Fault> {
        let action = self.execution.action(id);
        let thread = action.thread;
        if self.position[thread.index()] != action.position as usize {
            return Err(Fault::OutOfTurn(id));
        }
        if !self.has_started(thread) {
            return Err(Fault::NotStarted(id));
        }
        let can_go_on = match action.act {
            Act::Join(child) => {
                self.has_started(child)
                    && self.position[child.index()] == self.execution.of_thread(child).len()
            }
            Act::Get(flag) => self.set.contains(&flag),
            Act::Wait(semaphore) => self.counts[semaphore.0 as usize] > 0,
            Act::Acquire { lock, shared } => {
                self.open.iter().all(|(other, holder, also_shared)| {
                    *other != lock || *holder == thread || (shared && *also_shared)
                })
            }
            _ => true,
        };
        if !can_go_on {
            return Err(Fault::Blocked(id));
        }
        self.position[thread.index()] += 1;
        match action.act {
            Act::Fork(child) => {
                self.started.insert(child, true);
            }
            Act::Set(flag) => self.set.push(flag),
            Act::Signal(semaphore) => self.counts[semaphore.0 as usize] += 1,
            Act::Wait(semaphore) => self.counts[semaphore.0 as usize] -= 1,
            Act::Acquire { lock, shared } => self.open.push((lock, thread, shared)),
            Act::Release(lock) => {
                self.open.retain(|(other, holder, _)| *other != lock || *holder != thread);
            }
            Act::Atomic { word, found: Some(value), .. } => self.find(word, id, Some(value))?,
            Act::Access { word, access: Access::Read, value } => self.find(word, id, value)?,
            _ => {}
        }
        change(self.execution, &mut self.memory, id);
        Ok(())
    }

    /// What a thread does next, if it exists and has not ended.
    pub(crate) fn next_of(&self, thread: Thread) -> Option<ActionId> {
        let next = self.execution.of_thread(thread).get(self.position[thread.index()]);
        next.copied().filter(|_| self.has_started(thread))
    }

    /// All that decides how it can go on.
    pub(crate) fn state(&self) -> (Vec<usize>, Vec<(Word, Content)>) {
        let mut memory: Vec<_> = self.memory.iter().map(|(word, it)| (*word, it.clone())).collect();
        memory.sort_by_key(|(word, _)| *word);
        (self.position.clone(), memory)
    }

    /// A read: the word must hold what it held when the read was recorded.
    fn find(&self, word: Word, id: ActionId, value: Option<u64>) -> Result<(), Fault> {
        let initial = Content::INITIAL;
        let content = self.memory.get(&word).unwrap_or(&initial);
        let by_value = content.since.is_empty()
            && value.is_some_and(|value| content.base == Base::Value(value));
        let same = by_value
            || self.recorded.get(&id).is_some_and(|it| content.is_same(it, self.execution));
        if same { Ok(()) } else { Err(Fault::Differs(id)) }
    }
}
