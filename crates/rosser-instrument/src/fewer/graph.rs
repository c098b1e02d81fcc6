//! How the blocks of a function follow each other, and which come before others on every path.

use rustc_hash::FxHashMap;

use crate::llvm::{Block, Value};

/// The blocks that can be reached, in reverse postorder: 0 is where the function begins.
pub struct Graph {
    pub blocks: Vec<Block>,
    /// Where each block may go on, once for each edge.
    pub successors: Vec<Vec<usize>>,
    /// Where each block may come from, once for each edge.
    pub predecessors: Vec<Vec<usize>>,
    numbers: FxHashMap<Block, usize>,
    /// The last block that is on every path to a block, the block itself not counted.
    dominators: Vec<usize>,
}

impl Graph {
    /// The graph of a function that is defined.
    pub fn new(function: Value) -> Self {
        let blocks = reverse_postorder(function);
        let numbers: FxHashMap<Block, usize> =
            blocks.iter().enumerate().map(|(number, &block)| (block, number)).collect();
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| block.successors().iter().map(|next| numbers[next]).collect())
            .collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (block, nexts) in successors.iter().enumerate() {
            for &next in nexts {
                predecessors[next].push(block);
            }
        }
        let dominators = dominators(&predecessors);
        Self { blocks, successors, predecessors, numbers, dominators }
    }

    /// The number of a block, if it can be reached.
    pub fn number(&self, block: Block) -> Option<usize> {
        self.numbers.get(&block).copied()
    }

    /// Whether every path to `later` goes through `earlier`, or they are the same.
    pub fn dominates(&self, earlier: usize, later: usize) -> bool {
        let mut block = later;
        while block > earlier {
            block = self.dominators[block];
        }
        block == earlier
    }

    /// Whether every cycle has one entry: where it is entered, all other blocks of it are dominated.
    pub fn is_reducible(&self) -> bool {
        self.successors.iter().enumerate().all(|(block, nexts)| {
            nexts.iter().all(|&next| next > block || self.dominates(next, block))
        })
    }
}

/// An explicit stack: functions with a hundred thousand blocks exist.
fn reverse_postorder(function: Value) -> Vec<Block> {
    let Some(entry) = function.blocks().next() else { return Vec::new() };
    let mut seen = rustc_hash::FxHashSet::from_iter([entry]);
    let mut stack = vec![(entry, entry.successors())];
    let mut order = Vec::new();
    while let Some((block, nexts)) = stack.last_mut() {
        match nexts.pop() {
            Some(next) if seen.insert(next) => stack.push((next, next.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The algorithm of Cooper, Harvey and Kennedy.
fn dominators(predecessors: &[Vec<usize>]) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut dominators = vec![UNKNOWN; predecessors.len()];
    if let Some(entry) = dominators.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for block in 1..predecessors.len() {
            let known = predecessors[block].iter().filter(|&&p| dominators[p] != UNKNOWN);
            let common = known.copied().reduce(|mut a, mut b| {
                while a != b {
                    if a > b {
                        a = dominators[a];
                    } else {
                        b = dominators[b];
                    }
                }
                a
            });
            let common = common.expect("a predecessor precedes in reverse postorder");
            if dominators[block] != common {
                dominators[block] = common;
                changed = true;
            }
        }
    }
    dominators
}

#[cfg(test)]
mod tests {
    use super::dominators;

    #[test]
    fn both_ways_round_meet_where_they_parted() {
        // 0 → 1, 2; 1 → 3; 2 → 3; 3 → 1 (back)
        let predecessors = [vec![], vec![0, 3], vec![0], vec![1, 2]];
        assert_eq!(dominators(&predecessors), [0, 0, 0, 0]);
    }

    #[test]
    fn what_is_inside_a_loop_is_dominated_by_its_header() {
        // 0 → 1 → 2 → 3 → 1, 3 → 4
        let predecessors = [vec![], vec![0, 3], vec![1], vec![2], vec![3]];
        assert_eq!(dominators(&predecessors), [0, 0, 1, 2, 3]);
    }
}
