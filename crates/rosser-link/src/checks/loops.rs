//! Loops in the form that LLVM's `loop-simplify` gives them.

use rustc_hash::FxHashSet;

use super::graph::Graph;

/// A loop: entered from one block, repeated from one, left to blocks that nothing else leads to.
pub struct Loop {
    /// Where every iteration begins.
    pub header: usize,
    /// The block before the loop.
    pub entry: usize,
    /// The block that goes back.
    pub latch: usize,
    /// All blocks, those of inner loops included.
    pub body: FxHashSet<usize>,
    /// The blocks outside that it is left to, in order.
    pub exits: Vec<usize>,
}

/// The loops of a function that have that form, inner ones first.
pub fn loops(graph: &Graph) -> Vec<Loop> {
    let mut loops: Vec<Loop> =
        (0..graph.blocks.len()).filter_map(|header| with_header(graph, header)).collect();
    loops.sort_by_key(|it| it.body.len());
    loops
}

fn with_header(graph: &Graph, header: usize) -> Option<Loop> {
    let predecessors = &graph.predecessors[header];
    let (latches, entries): (Vec<usize>, Vec<usize>) =
        predecessors.iter().partition(|&&block| graph.dominates(header, block));
    let (&[latch], &[entry]) = (&latches[..], &entries[..]) else { return None };
    if graph.successors[entry] != [header] {
        return None;
    }
    let mut body = FxHashSet::from_iter([header]);
    let mut open = vec![latch];
    while let Some(block) = open.pop() {
        if body.insert(block) {
            open.extend(&graph.predecessors[block]);
        }
    }
    let leaves = body.iter().flat_map(|&block| &graph.successors[block]);
    let mut exits: Vec<usize> = leaves.copied().filter(|next| !body.contains(next)).collect();
    exits.sort_unstable();
    exits.dedup();
    let only_from_here = |exit: &usize| graph.predecessors[*exit].iter().all(|p| body.contains(p));
    exits.iter().all(only_from_here).then_some(Loop { header, entry, latch, body, exits })
}
