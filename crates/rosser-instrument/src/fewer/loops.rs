//! The loops of a function.

use rustc_hash::FxHashSet;

use super::graph::Graph;
use crate::llvm::{Block, Value};

/// A natural loop: its blocks, and where it is entered and left.
pub struct Loop {
    /// Where every iteration begins.
    pub header: usize,
    /// All blocks, those of inner loops included.
    pub body: FxHashSet<usize>,
    /// How it is entered, repeated and left, if that is simple.
    pub ways: Option<Ways>,
}

/// A loop has the form that LLVM's `loop-simplify` gives loops: it is entered from one block, repeated from one,
/// and left to blocks that nothing else leads to.
pub struct Ways {
    /// The block before the loop.
    pub entry: usize,
    /// The block that goes back.
    pub latch: usize,
    /// The blocks outside that it is left to, in order.
    pub exits: Vec<usize>,
}

/// The blocks of a function that are in loops; all of its blocks if some cycle is no loop.
pub fn blocks_in_loops(function: Value) -> FxHashSet<Block> {
    blocks_in_tight_loops(function, |_| false)
}

/// Of these blocks, those whose innermost loop has no `slow` instruction outside of the loops inside it.
pub fn blocks_in_tight_loops(function: Value, slow: impl Fn(Value) -> bool) -> FxHashSet<Block> {
    let graph = Graph::new(function);
    if !graph.is_reducible() {
        return graph.blocks.into_iter().collect();
    }
    let (mut tight, mut seen) = (FxHashSet::default(), FxHashSet::default());
    for it in loops(&graph) {
        let new = it.body.iter().filter(|block| seen.insert(**block));
        let own: Vec<Block> = new.map(|&block| graph.blocks[block]).collect();
        if !own.iter().flat_map(|block| block.instructions()).any(&slow) {
            tight.extend(own);
        }
    }
    tight
}

/// All loops of a function, inner ones first.
pub fn loops(graph: &Graph) -> Vec<Loop> {
    let mut loops: Vec<Loop> =
        (0..graph.blocks.len()).filter_map(|header| with_header(graph, header)).collect();
    loops.sort_by_key(|it| it.body.len());
    loops
}

fn with_header(graph: &Graph, header: usize) -> Option<Loop> {
    let (latches, entries): (Vec<usize>, Vec<usize>) =
        graph.predecessors[header].iter().partition(|&&block| graph.dominates(header, block));
    if latches.is_empty() {
        return None;
    }
    let mut body = FxHashSet::from_iter([header]);
    let mut open = latches.clone();
    while let Some(block) = open.pop() {
        if body.insert(block) {
            open.extend(&graph.predecessors[block]);
        }
    }
    let ways = ways(graph, header, &body, &entries, &latches);
    Some(Loop { header, body, ways })
}

fn ways(
    graph: &Graph,
    header: usize,
    body: &FxHashSet<usize>,
    entries: &[usize],
    latches: &[usize],
) -> Option<Ways> {
    let (&[entry], &[latch]) = (entries, latches) else { return None };
    let leaves = body.iter().flat_map(|&block| &graph.successors[block]);
    let mut exits: Vec<usize> = leaves.copied().filter(|next| !body.contains(next)).collect();
    exits.sort_unstable();
    exits.dedup();
    let only_from_here = |exit: &usize| graph.predecessors[*exit].iter().all(|p| body.contains(p));
    let is_simple = graph.successors[entry] == [header] && exits.iter().all(only_from_here);
    is_simple.then_some(Ways { entry, latch, exits })
}
