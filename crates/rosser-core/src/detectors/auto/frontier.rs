//! Sets of source steps that answer "does this step tree-precede any of you?".
//!
//! Sources are numbered in the order in which they are first joined. A set is a persistent bitmap
//! over these numbers: a tree of 32-way nodes with 256 bits to a leaf, whose nodes are shared by
//! all sets that agree on their part. The union of two sets that have most in common, as
//! neighbours in a wavefront have, touches only where they differ, and makes new nodes only where
//! neither has all of the result.
//!
//! ```text
//!   numbers   0 … 255 │ 256 … 511 │ …        one leaf each
//!   groups    ( 32 leaves )( 32 leaves ) …   one node each, and so on upwards
//! ```
//!
//! For every word of 64 numbers, every leaf and every node the greatest English and Hebrew place
//! of *all* sources in it is kept. A query descends only where both are late enough. Tasks are
//! mostly siblings, and of two siblings' steps one is first in English and the other in Hebrew
//! order, so that is hardly ever more than one path.

use super::tree::Tree;
use crate::ids::StepId;

/// How many bits a leaf has.
const LEAF_BITS: u32 = 256;
const WORDS: usize = LEAF_BITS as usize / 64;
/// How many children an inner node has.
const FAN: u32 = 32;

/// A set of sources. All sets have the same height at any time; growing wraps a set in a new root
/// when it is next used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SourceSet {
    /// A leaf if the height is 0, else an inner node.
    root: u32,
    height: u8,
}

/// A subtree with nothing in it, at any height.
const EMPTY: u32 = u32::MAX;

impl SourceSet {
    pub(super) const EMPTY: Self = Self { root: EMPTY, height: 0 };
}

/// The sources with the greatest English and Hebrew place in a range of numbers.
#[derive(Clone, Copy, Debug)]
struct Bound {
    english: StepId,
    hebrew: StepId,
}

/// All sets, in one store.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontiers {
    sources: Vec<StepId>,
    leaves: Vec<[u64; WORDS]>,
    nodes: Vec<[u32; FAN as usize]>,
    /// Bounds of words, of leaves, of nodes over leaves and so on: `bounds[0]` is for words.
    bounds: Vec<Vec<Bound>>,
}

impl Frontiers {
    /// Numbers a source.
    pub(super) fn register(&mut self, tree: &Tree, step: StepId) -> u32 {
        let number = u32::try_from(self.sources.len()).expect("fewer than 2^32 sources");
        self.sources.push(step);
        let mut range = 64;
        for level in 0.. {
            if self.bounds.len() <= level {
                if level > 2 && u64::from(number) < range / u64::from(FAN) {
                    break;
                }
                self.bounds.push(Vec::new());
                // What came before this level was needed is all in its first range.
                if level > 0 && number > 0 {
                    let all = self.bounds[level - 1].clone();
                    let first = all.into_iter().reduce(|a, b| later(tree, a, b));
                    self.bounds[level].extend(first);
                }
            }
            let index = (u64::from(number) / range) as usize;
            let new = Bound { english: step, hebrew: step };
            match self.bounds[level].get_mut(index) {
                Some(bound) => *bound = later(tree, *bound, new),
                None => self.bounds[level].push(new),
            }
            range *= if level == 0 { WORDS as u64 } else { u64::from(FAN) };
        }
        number
    }

    /// The set with one more source in it.
    pub(super) fn insert(&mut self, set: SourceSet, number: u32) -> SourceSet {
        let height = set.height.max(height_for(number));
        let root = self.raise(set, height);
        SourceSet { root: self.insert_at(root, height, number), height }
    }

    fn insert_at(&mut self, node: u32, height: u8, number: u32) -> u32 {
        if height == 0 {
            let mut leaf = if node == EMPTY { [0; WORDS] } else { self.leaves[node as usize] };
            leaf[(number % LEAF_BITS / 64) as usize] |= 1 << (number % 64);
            return self.add_leaf(leaf);
        }
        let mut children = self.children(node);
        let slot = child_slot(number, height);
        children[slot] = self.insert_at(children[slot], height - 1, number);
        self.add_node(children)
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: SourceSet, b: SourceSet) -> SourceSet {
        let height = a.height.max(b.height);
        let (a, b) = (self.raise(a, height), self.raise(b, height));
        SourceSet { root: self.union_at(a, b, height), height }
    }

    fn union_at(&mut self, a: u32, b: u32, height: u8) -> u32 {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        if height == 0 {
            let (one, other) = (self.leaves[a as usize], self.leaves[b as usize]);
            let both = std::array::from_fn(|word| one[word] | other[word]);
            return match both {
                _ if both == one => a,
                _ if both == other => b,
                _ => self.add_leaf(both),
            };
        }
        let (one, other) = (self.nodes[a as usize], self.nodes[b as usize]);
        let both = std::array::from_fn(|slot| self.union_at(one[slot], other[slot], height - 1));
        match both {
            _ if both == one => a,
            _ if both == other => b,
            _ => self.add_node(both),
        }
    }

    /// Whether the set holds the given step or one that it tree-precedes.
    pub(super) fn has_successor(&self, tree: &Tree, set: SourceSet, step: StepId) -> bool {
        self.has_successor_at(tree, set.root, set.height, 0, step)
    }

    /// `index` is the position of the node among all of its height.
    fn has_successor_at(
        &self,
        tree: &Tree,
        node: u32,
        height: u8,
        index: usize,
        step: StepId,
    ) -> bool {
        if node == EMPTY || !self.may_hold(tree, height as usize + 1, index, step) {
            return false;
        }
        if height > 0 {
            let children = &self.nodes[node as usize];
            return children.iter().enumerate().any(|(slot, child)| {
                let index = index * FAN as usize + slot;
                self.has_successor_at(tree, *child, height - 1, index, step)
            });
        }
        self.leaves[node as usize].iter().enumerate().any(|(word, bits)| {
            let word = index * WORDS + word;
            *bits != 0 && self.may_hold(tree, 0, word, step) && {
                let sources = self.sources.iter().skip(64 * word).take(64).enumerate();
                sources
                    .filter(|(bit, _)| bits >> bit & 1 == 1)
                    .any(|(_, source)| tree.precedes_or_is(step, *source))
            }
        })
    }

    /// Whether any source in a range can come after a step.
    fn may_hold(&self, tree: &Tree, level: usize, index: usize, step: StepId) -> bool {
        // Above the highest level that is kept there is only one range, with everything in it.
        let Some(bound) = self.bounds.get(level).and_then(|bounds| bounds.get(index)) else {
            return true;
        };
        tree.hebrew(step) <= tree.hebrew(bound.hebrew)
            && tree.english(step) <= tree.english(bound.english)
    }

    /// The root of a set at a greater height.
    fn raise(&mut self, set: SourceSet, height: u8) -> u32 {
        let mut root = set.root;
        if root != EMPTY {
            for _ in set.height..height {
                let mut children = [EMPTY; FAN as usize];
                children[0] = root;
                root = self.add_node(children);
            }
        }
        root
    }

    fn children(&self, node: u32) -> [u32; FAN as usize] {
        if node == EMPTY { [EMPTY; FAN as usize] } else { self.nodes[node as usize] }
    }

    fn add_leaf(&mut self, leaf: [u64; WORDS]) -> u32 {
        self.leaves.push(leaf);
        self.leaves.len() as u32 - 1
    }

    fn add_node(&mut self, children: [u32; FAN as usize]) -> u32 {
        self.nodes.push(children);
        self.nodes.len() as u32 - 1
    }

    pub(super) fn len(&self) -> usize {
        self.leaves.len() + self.nodes.len()
    }
}

/// The height of a tree that has room for a number.
fn height_for(number: u32) -> u8 {
    let mut leaves = number / LEAF_BITS;
    let mut height = 0;
    while leaves > 0 {
        leaves /= FAN;
        height += 1;
    }
    height
}

/// Which child of a node of the given height a number is in.
fn child_slot(number: u32, height: u8) -> usize {
    let below = u64::from(LEAF_BITS) * u64::from(FAN).pow(u32::from(height) - 1);
    (u64::from(number) / below) as usize % FAN as usize
}

fn later(tree: &Tree, a: Bound, b: Bound) -> Bound {
    let english = if tree.english(b.english) > tree.english(a.english) { b } else { a }.english;
    let hebrew = if tree.hebrew(b.hebrew) > tree.hebrew(a.hebrew) { b } else { a }.hebrew;
    Bound { english, hebrew }
}

#[cfg(test)]
mod tests {
    use super::{Frontiers, SourceSet};
    use crate::detectors::auto::tree::Tree;
    use crate::ids::{StepId, TaskId};

    /// A tree with many sibling tasks, of which every third has a child.
    fn sample(tasks_in_all: u32) -> Tree {
        let mut tree = Tree::new();
        let mut tasks = 1;
        while tasks < tasks_in_all {
            tree.fork(TaskId::MAIN, TaskId(tasks));
            tree.resume(TaskId::MAIN);
            tasks += 1;
            if tasks.is_multiple_of(3) {
                tree.fork(TaskId(tasks - 1), TaskId(tasks));
                tasks += 1;
            }
        }
        tree
    }

    #[test]
    fn a_query_agrees_with_looking_at_every_source() {
        let tree = sample(400);
        let mut frontiers = Frontiers::default();
        let mut set = SourceSet::EMPTY;
        let mut members = Vec::new();
        for raw in (0..tree.steps() as u32).rev().step_by(2) {
            let number = frontiers.register(&tree, StepId(raw));
            if raw % 3 == 0 {
                set = frontiers.insert(set, number);
                members.push(StepId(raw));
            }
        }
        assert!(members.len() > 100);
        for other in 0..tree.steps() as u32 {
            let expected = members.iter().any(|m| tree.precedes_or_is(StepId(other), *m));
            assert_eq!(frontiers.has_successor(&tree, set, StepId(other)), expected, "{other}");
        }
    }

    #[test]
    fn unions_hold_what_either_holds_across_heights() {
        let tree = sample(20_000);
        let mut frontiers = Frontiers::default();
        let steps: Vec<StepId> = (0..20_000).map(StepId).collect();
        let numbers: Vec<u32> = steps.iter().map(|s| frontiers.register(&tree, *s)).collect();
        let mut low = SourceSet::EMPTY;
        let mut high = SourceSet::EMPTY;
        for number in numbers.iter().copied() {
            match number % 5 {
                0 if number < 300 => low = frontiers.insert(low, number),
                1 => high = frontiers.insert(high, number),
                _ => {}
            }
        }
        let both = frontiers.union(low, high);
        assert_eq!(frontiers.union(both, low), both, "a superset is itself");
        for (step, number) in steps.iter().zip(numbers) {
            let is_in = |m: u32| (m.is_multiple_of(5) && m < 300) || m % 5 == 1;
            let expected = (0..20_000).any(|m| is_in(m) && tree.precedes_or_is(*step, StepId(m)));
            assert_eq!(frontiers.has_successor(&tree, both, *step), expected, "{number}");
        }
    }
}
