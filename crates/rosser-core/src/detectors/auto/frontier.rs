//! Sets of source steps that answer "does this step tree-precede any of you?" in one descent.
//!
//! A set is a treap over English order; each node knows which of its steps has the greatest Hebrew
//! place. Sets are persistent and hash-consed: a node is made once for its contents, priorities
//! follow from the step alone, hence equal sets are the same node. The union of two sets that have
//! most in common, as neighbours in a wavefront have, costs time only where they differ.

use rustc_hash::FxHashMap;

use super::tree::Tree;
use crate::ids::StepId;

/// A set of steps, by its root; equal sets have equal roots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct SourceSet(u32);

impl SourceSet {
    pub(super) const EMPTY: Self = Self(u32::MAX);
}

#[derive(Clone, Copy, Debug)]
struct Node {
    step: StepId,
    left: SourceSet,
    right: SourceSet,
    /// The step in this subtree with the greatest Hebrew place.
    last_hebrew: StepId,
}

/// All sets, in one store.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontiers {
    nodes: Vec<Node>,
    known: FxHashMap<(StepId, SourceSet, SourceSet), SourceSet>,
}

impl Frontiers {
    /// The set with one more step in it.
    pub(super) fn insert(&mut self, tree: &Tree, set: SourceSet, step: StepId) -> SourceSet {
        let single = self.node(tree, step, SourceSet::EMPTY, SourceSet::EMPTY);
        self.union(tree, set, single)
    }

    /// The union of two sets. Recursion is as deep as a treap is high: O(log n) expected.
    pub(super) fn union(&mut self, tree: &Tree, a: SourceSet, b: SourceSet) -> SourceSet {
        if a == b || b == SourceSet::EMPTY {
            return a;
        }
        if a == SourceSet::EMPTY {
            return b;
        }
        let (upper, lower) = if priority(self.at(a).step) >= priority(self.at(b).step) {
            (a, b)
        } else {
            (b, a)
        };
        let Node {
            step, left, right, ..
        } = self.at(upper);
        let (before, after) = self.split(tree, lower, step);
        let left = self.union(tree, left, before);
        let right = self.union(tree, right, after);
        self.node(tree, step, left, right)
    }

    /// The steps before and after the given one in English order, without itself.
    fn split(&mut self, tree: &Tree, set: SourceSet, at: StepId) -> (SourceSet, SourceSet) {
        if set == SourceSet::EMPTY {
            return (set, set);
        }
        let Node {
            step, left, right, ..
        } = self.at(set);
        if step == at {
            (left, right)
        } else if tree.english(step) < tree.english(at) {
            let (before, after) = self.split(tree, right, at);
            (self.node(tree, step, left, before), after)
        } else {
            let (before, after) = self.split(tree, left, at);
            (before, self.node(tree, step, after, right))
        }
    }

    /// Whether the set holds the given step or one that it tree-precedes.
    pub(super) fn has_successor(&self, tree: &Tree, set: SourceSet, step: StepId) -> bool {
        let (english, hebrew) = (tree.english(step), tree.hebrew(step));
        let reaches = |set: SourceSet| {
            set != SourceSet::EMPTY && tree.hebrew(self.at(set).last_hebrew) >= hebrew
        };
        let mut set = set;
        while reaches(set) {
            let node = self.at(set);
            if tree.english(node.step) < english {
                set = node.right;
            } else if tree.hebrew(node.step) >= hebrew || reaches(node.right) {
                return true;
            } else {
                set = node.left;
            }
        }
        false
    }

    fn node(&mut self, tree: &Tree, step: StepId, left: SourceSet, right: SourceSet) -> SourceSet {
        if let Some(&known) = self.known.get(&(step, left, right)) {
            return known;
        }
        let mut last_hebrew = step;
        for below in [left, right] {
            if below != SourceSet::EMPTY {
                let theirs = self.at(below).last_hebrew;
                if tree.hebrew(theirs) > tree.hebrew(last_hebrew) {
                    last_hebrew = theirs;
                }
            }
        }
        let set = SourceSet(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(Node {
            step,
            left,
            right,
            last_hebrew,
        });
        self.known.insert((step, left, right), set);
        set
    }

    fn at(&self, set: SourceSet) -> Node {
        self.nodes[set.0 as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// A pseudo-random priority. The mixing is a bijection (multiplication by odd numbers and
/// xor-shifts), so no two steps share one and the shape of a treap depends on its steps alone.
fn priority(step: StepId) -> u32 {
    let mut x = step.0;
    x ^= x >> 16;
    x = x.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::{Frontiers, SourceSet};
    use crate::detectors::auto::tree::Tree;
    use crate::ids::{StepId, TaskId};

    /// A tree with a hundred sibling tasks, of which every third has a child.
    fn sample() -> Tree {
        let mut tree = Tree::new();
        let mut tasks = 1;
        for i in 0..100 {
            tree.fork(TaskId::MAIN, TaskId(tasks));
            tasks += 1;
            if i % 3 == 0 {
                tree.fork(TaskId(tasks - 1), TaskId(tasks));
                tasks += 1;
            }
        }
        tree
    }

    #[test]
    fn a_descent_agrees_with_looking_at_every_step() {
        let tree = sample();
        let mut frontiers = Frontiers::default();
        let mut set = SourceSet::EMPTY;
        let mut members = Vec::new();
        for raw in (0..tree.steps() as u32).step_by(7) {
            set = frontiers.insert(&tree, set, StepId(raw));
            members.push(StepId(raw));
            for other in 0..tree.steps() as u32 {
                let expected = members
                    .iter()
                    .any(|m| tree.precedes_or_is(StepId(other), *m));
                assert_eq!(frontiers.has_successor(&tree, set, StepId(other)), expected);
            }
        }
    }

    #[test]
    fn equal_sets_are_one_node_however_they_came_about() {
        let tree = sample();
        let mut frontiers = Frontiers::default();
        let steps: Vec<StepId> = (0..60).map(StepId).collect();
        let build = |frontiers: &mut Frontiers, steps: &mut dyn Iterator<Item = &StepId>| {
            steps.fold(SourceSet::EMPTY, |set, step| {
                frontiers.insert(&tree, set, *step)
            })
        };
        let up = build(&mut frontiers, &mut steps.iter());
        let down = build(&mut frontiers, &mut steps.iter().rev());
        let low = build(&mut frontiers, &mut steps[..40].iter());
        let high = build(&mut frontiers, &mut steps[20..].iter());
        assert_eq!(up, down);
        assert_eq!(up, frontiers.union(&tree, low, high));
    }
}
