//! Phase II: which apparent races are tangled.
//!
//! Two events are tangled if the start of one and the end of the other lie in one strongly connected component of the
//! augmented graph. A race between events that are not tangled is feasible (Theorem 7.2). The races of one component
//! are a tangle. The paper's Theorem 7.3, that each tangle has a feasible race, does not hold as it is stated: an event
//! in the middle of a chain of conflicts need not belong to the component. Nothing here relies on it.

use petgraph::algo::tarjan_scc;

use crate::apparent::Conflict;
use crate::augment::{Graph, end, start};

/// For each conflict the number of its component, or none if its events are not tangled. Components that lead to others
/// have lower numbers: causes come first.
#[derive(Clone, Debug)]
pub struct Tangles {
    of_conflict: Vec<Option<u32>>,
    /// For each conflict, a number that is lower for what may influence others.
    rank: Vec<u32>,
}

impl Tangles {
    /// Finds the components.
    pub fn of(graph: &Graph, conflicts: &[Conflict]) -> Self {
        let components = tarjan_scc(&graph.0);
        let mut component = vec![0u32; graph.0.node_count()];
        // Components come in reverse topological order.
        for (at, nodes) in components.iter().rev().enumerate() {
            for node in nodes {
                component[node.index()] = at as u32;
            }
        }
        let of = |node: petgraph::graph::NodeIndex| component[node.index()];
        let tangled = |conflict: &Conflict| {
            let (a, b) = (conflict.first, conflict.second);
            // Where both pairs are in a component it is one: each end is reached from the other event's start.
            let one = (of(start(a)) == of(end(b))).then_some(of(start(a)));
            one.or_else(|| (of(start(b)) == of(end(a))).then_some(of(start(b))))
        };
        let rank = |conflict: &Conflict| of(start(conflict.first)).min(of(start(conflict.second)));
        Self {
            of_conflict: conflicts.iter().map(tangled).collect(),
            rank: conflicts.iter().map(rank).collect(),
        }
    }

    /// The component of a conflict, by its index, if its events are tangled.
    pub fn of_conflict(&self, index: usize) -> Option<u32> {
        self.of_conflict[index]
    }

    /// Where a conflict, by its index, comes when causes are put first.
    pub fn rank(&self, index: usize) -> u32 {
        self.of_conflict[index].unwrap_or(self.rank[index])
    }
}
