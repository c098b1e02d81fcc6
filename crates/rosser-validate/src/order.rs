//! The temporal ordering graph (section 4.1 of the paper): what synchronisation is known to have ordered.
//!
//! The edges between threads are kept as a list; whether a path leads from one event to another is answered by vector
//! clocks. There are two orders. The *strong* one holds in every schedule with the same events: fork, join, promises.
//! The *weak* one adds what happened in this run: locks, semaphores, atomic operations.
//!
//! Semaphores have three approximations, the paper's: see [`Pairing`]. The first two have the property (2) that the
//! paper's Theorem 7.2 needs, that every linear order of the graph obeys the semaphores: in the second each P beyond the
//! initial count has a V of its own before it. The third has not: that one of two Vs must come first is no edge.

use rustc_hash::FxHashMap;

use crate::events::{EventId, Events};
use crate::execution::{Act, Execution, Flag, Lock, Semaphore, Thread, Word};

/// How the operations on a semaphore are taken to order each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pairing {
    /// Each operation precedes the next on the same semaphore.
    #[default]
    Each,
    /// The V that let a P go on precedes it: the n-th V the P number *initial value* + *n*. (Another V might have done.)
    Signal,
    /// Only what holds whichever V lets a P go on (Helmbold, `McDowell` and Wang, 1990).
    Forced,
}

/// An edge of the graph between two threads: the end of one event to the start of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it comes from.
    pub from: EventId,
    /// Where it leads.
    pub to: EventId,
    /// Whether it holds in every schedule with the same events.
    pub strong: bool,
}

/// The order; see the module documentation.
#[derive(Clone, Debug)]
pub struct Order {
    edges: Vec<Edge>,
    /// Thread and number of each event.
    places: Vec<(Thread, u32)>,
    weak: Clocks,
    strong: Clocks,
}

impl Pairing {
    /// Whether every linear order of the graph obeys the semaphores, so that Theorem 7.2 holds.
    pub fn obeys_semaphores(self) -> bool {
        self != Self::Forced
    }
}

impl Order {
    /// The order that the recorded synchronisation made.
    pub fn of(execution: &Execution, events: &Events, pairing: Pairing) -> Self {
        let places = events
            .ids()
            .map(|event| (events.get(event).thread, events.get(event).number))
            .collect();
        let mut edges = Edges::collect(execution, events, pairing);
        edges.sort_by_key(|edge| (edge.to, edge.from));
        let clocks = |edges: &[Edge]| Clocks::of(edges, events, execution.thread_count());
        let strong: Vec<Edge> = edges.iter().copied().filter(|edge| edge.strong).collect();
        let strong = clocks(&strong);
        let weak = clocks(&edges);
        let mut order = Self { edges, places, weak, strong };
        if pairing == Pairing::Forced {
            while order.force(execution, events) {
                order.edges.sort_by_key(|edge| (edge.to, edge.from));
                order.weak = clocks(&order.edges);
            }
        }
        order
    }

    /// The order of each thread alone.
    pub fn none(execution: &Execution, events: &Events) -> Self {
        let places = events
            .ids()
            .map(|event| (events.get(event).thread, events.get(event).number))
            .collect();
        let clocks = Clocks::of(&[], events, execution.thread_count());
        Self { edges: Vec::new(), places, weak: clocks.clone(), strong: clocks }
    }

    /// The edges between threads.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether synchronisation put `a` before `b` in this run.
    pub fn precedes(&self, a: EventId, b: EventId) -> bool {
        self.comes_before(&self.weak, a, b)
    }

    /// Whether `a` is before `b` in every schedule with the same events.
    pub fn strongly_precedes(&self, a: EventId, b: EventId) -> bool {
        self.comes_before(&self.strong, a, b)
    }

    /// Whether nothing orders the two.
    pub fn unordered(&self, a: EventId, b: EventId) -> bool {
        a != b && !self.precedes(a, b) && !self.precedes(b, a)
    }

    fn comes_before(&self, clocks: &Clocks, a: EventId, b: EventId) -> bool {
        let ((thread, number), (other, own)) = (self.places[a.index()], self.places[b.index()]);
        if thread == other { number < own } else { number < clocks.known(b, thread) }
    }

    /// Adds edges that every assignment of Vs to Ps obeys; true if there was one to add.
    ///
    /// A P that is preceded by k-1 others takes the k-th signal at the earliest. An event before which too few signals
    /// are left to come has therefore happened by then.
    fn force(&mut self, execution: &Execution, events: &Events) -> bool {
        let (signals, waits) = semaphore_events(execution, events);
        let mut added = Vec::new();
        for (semaphore, waits) in &waits {
            let signals = signals.get(semaphore).map_or(&[][..], Vec::as_slice);
            let initial = execution.semaphores()[semaphore.0 as usize] as usize;
            for &wait in waits {
                let before = waits.iter().filter(|other| self.precedes(**other, wait)).count();
                let needed = (before + 1).saturating_sub(initial);
                let candidates: Vec<EventId> =
                    signals.iter().copied().filter(|it| !self.precedes(wait, *it)).collect();
                for event in events.ids() {
                    if event == wait || self.precedes(event, wait) || self.precedes(wait, event) {
                        continue;
                    }
                    let without = candidates
                        .iter()
                        .filter(|signal| **signal != event && !self.precedes(event, **signal));
                    if without.count() < needed {
                        added.push(Edge { from: event, to: wait, strong: false });
                    }
                }
            }
        }
        self.edges.extend(&added);
        !added.is_empty()
    }
}

type BySemaphore = FxHashMap<Semaphore, Vec<EventId>>;

/// The Vs and the Ps of each semaphore, in recorded order.
fn semaphore_events(execution: &Execution, events: &Events) -> (BySemaphore, BySemaphore) {
    let (mut signals, mut waits) = (BySemaphore::default(), BySemaphore::default());
    for (id, action) in execution.ids() {
        let event = events.of_action(id);
        match action.act {
            Act::Signal(semaphore) => signals.entry(semaphore).or_default().push(event),
            Act::Wait(semaphore) => waits.entry(semaphore).or_default().push(event),
            _ => {}
        }
    }
    (signals, waits)
}

/// What is remembered of a lock while edges are collected.
#[derive(Default)]
struct LockState {
    released: Option<EventId>,
    /// Releases of shared sections since.
    shared: Vec<EventId>,
    open_is_shared: FxHashMap<Thread, bool>,
}

/// What is remembered of a word with atomic operations.
#[derive(Default)]
struct WordState {
    /// The releases that a read of the word's value synchronises with.
    released_by: Vec<EventId>,
    /// Who heads the release sequence.
    head: Option<Thread>,
}

/// Collects edges in one pass over the recorded order.
struct Edges<'a> {
    events: &'a Events,
    found: Vec<Edge>,
    forked: Vec<Option<EventId>>,
    set: FxHashMap<Flag, EventId>,
    locks: FxHashMap<Lock, LockState>,
    words: FxHashMap<Word, WordState>,
    semaphores: FxHashMap<Semaphore, EventId>,
}

impl<'a> Edges<'a> {
    fn collect(execution: &Execution, events: &'a Events, pairing: Pairing) -> Vec<Edge> {
        let mut all = Self {
            events,
            found: Vec::new(),
            forked: vec![None; execution.thread_count()],
            set: FxHashMap::default(),
            locks: FxHashMap::default(),
            words: FxHashMap::default(),
            semaphores: FxHashMap::default(),
        };
        for (id, action) in execution.ids() {
            let event = events.of_action(id);
            if action.position == 0
                && let Some(fork) = all.forked[action.thread.index()]
            {
                all.add(fork, event, true);
            }
            all.act(action.thread, action.act, event, pairing);
        }
        if pairing == Pairing::Signal {
            all.pair_signals(execution);
        }
        all.found
    }

    fn add(&mut self, from: EventId, to: EventId, strong: bool) {
        self.found.push(Edge { from, to, strong });
    }

    fn act(&mut self, thread: Thread, act: Act, event: EventId, pairing: Pairing) {
        match act {
            Act::Access { .. } => {}
            Act::Fork(child) => self.forked[child.index()] = Some(event),
            Act::Join(child) => {
                // A child that did nothing is after its fork all the same.
                let last = self.events.of_thread(child).last().copied();
                if let Some(last) = last.or(self.forked[child.index()]) {
                    self.add(last, event, true);
                }
            }
            Act::Set(flag) => {
                self.set.entry(flag).or_insert(event);
            }
            Act::Get(flag) => {
                if let Some(&set) = self.set.get(&flag) {
                    self.add(set, event, true);
                }
            }
            Act::Signal(semaphore) | Act::Wait(semaphore) => {
                if let Some(last) = self.semaphores.insert(semaphore, event)
                    && pairing == Pairing::Each
                {
                    self.add(last, event, false);
                }
            }
            Act::Acquire { lock, shared } => {
                let state = self.locks.entry(lock).or_default();
                state.open_is_shared.insert(thread, shared);
                let mut from: Vec<EventId> = state.released.into_iter().collect();
                if !shared {
                    from.append(&mut state.shared);
                }
                for from in from {
                    self.add(from, event, false);
                }
            }
            Act::Release(lock) => {
                let state = self.locks.entry(lock).or_default();
                if state.open_is_shared.remove(&thread) == Some(true) {
                    state.shared.push(event);
                } else {
                    state.released = Some(event);
                    state.shared.clear();
                }
            }
            Act::Atomic { word, found, left, ordering } => {
                let state = self.words.entry(word).or_default();
                let sources = if ordering.acquire && found.is_some() {
                    state.released_by.clone()
                } else {
                    Vec::new()
                };
                if left.is_some() {
                    state.write(thread, event, found.is_some(), ordering.release);
                }
                for from in sources {
                    self.add(from, event, false);
                }
            }
        }
    }

    fn pair_signals(&mut self, execution: &Execution) {
        let (signals, waits) = semaphore_events(execution, self.events);
        for (semaphore, waits) in waits {
            let initial = execution.semaphores()[semaphore.0 as usize] as usize;
            let signals = signals.get(&semaphore).into_iter().flatten();
            for (wait, signal) in waits.into_iter().skip(initial).zip(signals) {
                self.add(*signal, wait, false);
            }
        }
    }
}

impl WordState {
    /// Release sequences as in C++11: a plain atomic store ends one, unless it is by the thread that heads it; a
    /// read-modify-write continues it.
    fn write(&mut self, thread: Thread, event: EventId, modifies: bool, releases: bool) {
        if modifies {
            if releases {
                self.released_by.push(event);
            }
            self.head = self.head.or(releases.then_some(thread));
        } else if releases {
            self.released_by = vec![event];
            self.head = Some(thread);
        } else if self.head != Some(thread) {
            self.released_by.clear();
            self.head = None;
        }
    }
}

/// For each event, how many events of each thread are known to have ended before it starts.
#[derive(Clone, Debug)]
struct Clocks {
    table: Vec<Vec<u32>>,
    clock_of: Vec<u32>,
}

impl Clocks {
    /// Events are in an order in which every edge leads on; `edges` are sorted by where they lead.
    fn of(edges: &[Edge], events: &Events, threads: usize) -> Self {
        let mut table = vec![vec![0; threads]];
        let mut current = vec![0u32; threads];
        let mut clock_of: Vec<u32> = Vec::with_capacity(events.len());
        let mut edges = edges.iter().peekable();
        for event in events.ids() {
            let thread = events.get(event).thread.index();
            let mut clock: Option<Vec<u32>> = None;
            while let Some(edge) = edges.next_if(|edge| edge.to == event) {
                let from = events.get(edge.from);
                let mine = &table[current[thread] as usize];
                let knows = |clock: &Option<Vec<u32>>, at: usize| match clock {
                    Some(clock) => clock[at],
                    None => mine[at],
                };
                if from.thread.index() == thread || knows(&clock, from.thread.index()) > from.number
                {
                    continue;
                }
                let mut joined = clock.take().unwrap_or_else(|| mine.clone());
                let theirs = &table[clock_of[edge.from.index()] as usize];
                for (own, other) in joined.iter_mut().zip(theirs) {
                    *own = (*own).max(*other);
                }
                let own = &mut joined[from.thread.index()];
                *own = (*own).max(from.number + 1);
                clock = Some(joined);
            }
            if let Some(clock) = clock {
                table.push(clock);
                current[thread] = table.len() as u32 - 1;
            }
            clock_of.push(current[thread]);
        }
        Self { table, clock_of }
    }

    fn known(&self, event: EventId, thread: Thread) -> u32 {
        self.table[self.clock_of[event.index()] as usize][thread.index()]
    }
}
