//! What the true order of all accesses tells of the races (section 4.9 of the design): which happened, which are
//! possible and which are impossible with the dependences of this execution.
//!
//! *These dependences* are those of all its events. A race that is impossible with them may still happen where a thread
//! has not come as far; that is for [`crate::ideal`] to find.

use petgraph::algo::has_path_connecting;
use rosser_detect::Access;
use rustc_hash::FxHashMap;

use crate::augment::{Graph, end, start};
use crate::events::{EventId, Events};
use crate::execution::{self, Execution, Thread, Word};
use crate::order::Order;

/// What the dependences of an execution say of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Possibility {
    /// The two events overlapped.
    Happened,
    /// They can overlap in an execution with the same events and the same dependences.
    Possible,
    /// They cannot.
    Impossible,
}

/// The temporal ordering graph with the true dependences.
#[derive(Debug)]
pub struct Precise<'a> {
    events: &'a Events,
    graph: Graph,
}

impl<'a> Precise<'a> {
    /// Adds the dependences of an execution whose recorded order is that of all accesses.
    pub fn of(execution: &Execution, events: &'a Events, order: &Order) -> Self {
        let mut graph = Graph::of_order(execution, events, order);
        for (from, to) in dependences(execution, events) {
            if !order.precedes(from, to) {
                graph.flows(from, to);
            }
        }
        Self { events, graph }
    }

    /// What is possible of two events that conflict.
    pub fn possibility(&self, a: EventId, b: EventId) -> Possibility {
        let (one, other) = (self.events.get(a), self.events.get(b));
        if one.first < other.last && other.first < one.last {
            return Possibility::Happened;
        }
        let path = |from, to| has_path_connecting(&self.graph.0, end(from), start(to), None);
        if path(a, b) || path(b, a) { Possibility::Impossible } else { Possibility::Possible }
    }
}

/// The pairs of events of different threads with a dependence from the one to the other; of those from one thread to
/// one event only the last, which has the others before it.
///
/// Dependences are those between accesses, through others and through the threads' own order (H3 of the paper). They
/// are not closed again over events: of an event that lasts, an early access may have come before what a late one
/// depends on.
pub fn dependences(execution: &Execution, events: &Events) -> Vec<(EventId, EventId)> {
    let threads = execution.thread_count();
    let mut clocks = vec![vec![0u32; threads]; threads];
    let mut words: FxHashMap<Word, History> = FxHashMap::default();
    let mut all = Vec::new();
    for (id, action) in execution.ids() {
        let own = action.thread.index();
        if let Some((word, access)) = action.act.touched() {
            let history = words.entry(word).or_default();
            for (other, clock) in history {
                if execution::depend(*other, access) {
                    join(&mut clocks[own], clock);
                }
            }
        }
        clocks[own][own] = action.position + 1;
        if let Some((word, access)) = action.act.touched() {
            let history = words.entry(word).or_default();
            match history.iter_mut().find(|(other, _)| *other == access) {
                Some((_, clock)) => join(clock, &clocks[own]),
                None => history.push((access, clocks[own].clone())),
            }
        }
        let event = events.of_action(id);
        if events.get(event).last == id {
            for (thread, known) in clocks[own].iter().enumerate() {
                if thread != own && *known > 0 {
                    let last = execution.of_thread(Thread(thread as u32))[*known as usize - 1];
                    all.push((events.of_action(last), event));
                }
            }
        }
    }
    all
}

/// For each kind of access to a word, how far the threads were that made one.
type History = Vec<(Access, Vec<u32>)>;

fn join(clock: &mut [u32], other: &[u32]) {
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}
