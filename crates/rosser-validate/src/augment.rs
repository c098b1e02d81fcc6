//! The augmented graph (section 7.2 of the paper): the temporal ordering graph and, where data may have flowed between
//! unordered events, an edge from the start of one to the end of the other, in both directions.
//!
//! The paper names direct conflicts and those through one further event. Data may pass through any number of events in
//! conflict, so all unordered pairs of a connected set of conflicts get the edges; with fewer, a longer chain of true
//! dependences could be missing, and Theorem 7.2 needs them all. Chains that enter an event and leave a later one need
//! no edge of their own: they are paths.

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use crate::apparent::Conflict;
use crate::events::{EventId, Events};
use crate::execution::{Act, Execution, Word};
use crate::order::Order;

/// A graph with two nodes for each event: its start and its end.
#[derive(Debug, Default)]
pub struct Graph(pub DiGraph<(), (), u32>);

/// The node where an event starts.
pub fn start(event: EventId) -> NodeIndex {
    NodeIndex::new(2 * event.index())
}

/// The node where an event ends.
pub fn end(event: EventId) -> NodeIndex {
    NodeIndex::new(2 * event.index() + 1)
}

impl Graph {
    /// The temporal ordering graph.
    pub fn of_order(execution: &Execution, events: &Events, order: &Order) -> Self {
        let mut graph = DiGraph::with_capacity(2 * events.len(), 4 * events.len());
        for _ in 0..2 * events.len() {
            graph.add_node(());
        }
        for event in events.ids() {
            graph.add_edge(start(event), end(event), ());
        }
        for thread in 0..execution.thread_count() as u32 {
            for pair in events.of_thread(crate::execution::Thread(thread)).windows(2) {
                graph.add_edge(end(pair[0]), start(pair[1]), ());
            }
        }
        for edge in order.edges() {
            graph.add_edge(end(edge.from), start(edge.to), ());
        }
        Self(graph)
    }

    /// Adds that data may flow from one event to another: the one starts before the other ends.
    pub fn flows(&mut self, from: EventId, to: EventId) {
        self.0.add_edge(start(from), end(to), ());
    }
}

/// The augmented graph.
pub fn augmented(
    execution: &Execution,
    events: &Events,
    order: &Order,
    conflicts: &[Conflict],
) -> Graph {
    let mut graph = Graph::of_order(execution, events, order);
    for (from, to) in atomic_flow(execution, events) {
        graph.0.add_edge(end(from), start(to), ());
    }
    for members in connected(events, conflicts) {
        for (at, &a) in members.iter().enumerate() {
            for &b in &members[at + 1..] {
                if order.unordered(a, b) {
                    graph.flows(a, b);
                    graph.flows(b, a);
                }
            }
        }
    }
    graph
}

/// How data flowed between atomic operations on a word: it is recorded, and they never overlap.
fn atomic_flow(execution: &Execution, events: &Events) -> Vec<(EventId, EventId)> {
    let mut flow = Vec::new();
    // The last write of a word, and the reads since.
    let mut words: FxHashMap<Word, (Option<EventId>, Vec<EventId>)> = FxHashMap::default();
    for (id, action) in execution.ids() {
        let Act::Atomic { word, left, .. } = action.act else { continue };
        let event = events.of_action(id);
        let (last, reads) = words.entry(word).or_default();
        flow.extend(last.map(|last| (last, event)));
        if left.is_some() {
            flow.extend(reads.drain(..).map(|read| (read, event)));
            *last = Some(event);
        } else {
            reads.push(event);
        }
    }
    flow
}

/// The sets of events that unordered conflicts connect.
fn connected(events: &Events, conflicts: &[Conflict]) -> Vec<Vec<EventId>> {
    let mut sets = UnionFind::<u32>::new(events.len());
    for conflict in conflicts {
        sets.union(conflict.first.0, conflict.second.0);
    }
    let mut members: FxHashMap<u32, Vec<EventId>> = FxHashMap::default();
    for event in events.ids() {
        members.entry(sets.find(event.0)).or_default().push(event);
    }
    let mut all: Vec<Vec<EventId>> =
        members.into_values().filter(|members| members.len() > 1).collect();
    all.sort();
    all
}
