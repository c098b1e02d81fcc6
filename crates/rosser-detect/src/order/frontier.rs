//! Sets of source steps that answer "does this step tree-precede any of you?".
//!
//! Sources are numbered in the order in which they are first joined. A set is a persistent bitmap over these
//! numbers: a tree of 8-way nodes with 64 bits to a leaf, whose nodes are shared by all sets that
//! agree on their part.
//!
//! For every leaf and every node the greatest English and Hebrew place of *all* sources in its range
//! is kept. A query descends only where both are late enough. Tasks are mostly siblings, and of two
//! siblings' steps one is first in English and the other in Hebrew order, so that is hardly ever more
//! than one path. One more source in a set costs a leaf and a node for each level: 8 + 32 log₈(n/64)
//! bytes.

use super::tree::{Step, Tree};
use crate::storage::{Exhausted, Stack};

/// How many bits a number has within a leaf, and within a node.
const LEAF_SHIFT: u32 = 6;
const FAN_SHIFT: u32 = 3;
const FAN: usize = 1 << FAN_SHIFT;
/// As many levels as 32-bit numbers can need.
const LEVELS: usize = 10;

/// A node's children, each a node of the next lower height or a leaf.
pub type Children = [u32; FAN];

/// A set of sources. A set that is not as high as another is its first part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SourceSet {
    /// A leaf if the height is 0, else an inner node.
    pub(super) root: u32,
    pub(super) height: u8,
}

/// A subtree with nothing in it, at any height.
const EMPTY: u32 = u32::MAX;

impl SourceSet {
    pub(super) const EMPTY: Self = Self { root: EMPTY, height: 0 };
}

/// The sources with the greatest English and Hebrew place in a range of numbers.
#[derive(Clone, Copy, Default, Debug)]
pub struct Bound {
    english: Step,
    hebrew: Step,
}

/// All sets, in one store.
#[derive(Debug)]
pub(super) struct Frontiers {
    sources: Stack<Step>,
    leaves: Stack<u64>,
    nodes: Stack<Children>,
    /// Level by level: that of the leaves, that of the nodes over them, and so on.
    bounds: &'static mut [Bound],
    /// Where each level begins.
    levels: [usize; LEVELS],
    /// Numbers are below this.
    limit: u32,
}

impl Frontiers {
    pub(super) fn new(
        sources: &'static mut [Step],
        leaves: &'static mut [u64],
        nodes: &'static mut [Children],
        bounds: &'static mut [Bound],
    ) -> Self {
        let (levels, limit) = layout(bounds.len());
        let (leaves, nodes) = (Stack::new(leaves), Stack::new(nodes));
        Self { sources: Stack::new(sources), leaves, nodes, bounds, levels, limit }
    }

    /// Makes room for so many more sources.
    pub(super) fn reserve(&mut self, room: usize) {
        self.sources.reserve(room);
        let sources = self.sources.len() as usize;
        if sources + room <= self.limit as usize {
            return;
        }
        // Twice as many sources have two bounds for 64, and a few more for the levels above.
        let bounds = vec![Bound::default(); (sources + room) / 16 + FAN * LEVELS].leak();
        let (levels, limit) = layout(bounds.len());
        for (level, (old, new)) in self.levels.into_iter().zip(levels).enumerate() {
            let used = sources.div_ceil(1 << shift_of(level));
            bounds[new..new + used].copy_from_slice(&self.bounds[old..old + used]);
        }
        (self.bounds, self.levels, self.limit) = (bounds, levels, limit);
    }

    /// Makes room for more sets.
    pub(super) fn reserve_sets(&mut self) {
        self.leaves.reserve(LEVELS);
        self.nodes.reserve(LEVELS);
    }

    pub(super) fn clear(&mut self) {
        self.sources.clear();
        self.leaves.clear();
        self.nodes.clear();
    }

    /// Gives a source its number among all sources.
    pub(super) fn register(&mut self, tree: &Tree, step: Step) -> Result<u32, Exhausted> {
        let number = self.sources.len();
        if number >= self.limit {
            return Err(Exhausted);
        }
        self.sources.push(step)?;
        let new = Bound { english: step, hebrew: step };
        for (level, begin) in self.levels.into_iter().enumerate() {
            let shift = shift_of(level);
            let index = begin + (u64::from(number) >> shift) as usize;
            let Some(bound) = self.bounds.get_mut(index) else { break };
            let is_first = u64::from(number) & ((1 << shift) - 1) == 0;
            *bound = if is_first { new } else { later(tree, *bound, new) };
        }
        Ok(number)
    }

    /// The set with one more source in it.
    pub(super) fn insert(&mut self, set: SourceSet, number: u32) -> Result<SourceSet, Exhausted> {
        let height = set.height.max(height_for(number));
        let root = self.raise(set, height)?;
        Ok(SourceSet { root: self.insert_at(root, height, number)?, height })
    }

    fn insert_at(&mut self, node: u32, height: u8, number: u32) -> Result<u32, Exhausted> {
        if height == 0 {
            let leaf = if node == EMPTY { 0 } else { self.leaves[node] };
            return self.leaves.add(leaf | 1 << (number % 64));
        }
        let mut children = if node == EMPTY { [EMPTY; FAN] } else { self.nodes[node] };
        let slot = (u64::from(number) >> shift_of(usize::from(height) - 1)) as usize % FAN;
        children[slot] = self.insert_at(children[slot], height - 1, number)?;
        self.nodes.add(children)
    }

    /// The union of two sets.
    pub(super) fn union(&mut self, a: SourceSet, b: SourceSet) -> Result<SourceSet, Exhausted> {
        let height = a.height.max(b.height);
        let (a, b) = (self.raise(a, height)?, self.raise(b, height)?);
        Ok(SourceSet { root: self.union_at(a, b, height)?, height })
    }

    fn union_at(&mut self, a: u32, b: u32, height: u8) -> Result<u32, Exhausted> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        if height == 0 {
            let (one, other) = (self.leaves[a], self.leaves[b]);
            return match one | other {
                both if both == one => Ok(a),
                both if both == other => Ok(b),
                both => self.leaves.add(both),
            };
        }
        let (one, other) = (self.nodes[a], self.nodes[b]);
        let mut both = one;
        for (slot, child) in both.iter_mut().enumerate() {
            *child = self.union_at(one[slot], other[slot], height - 1)?;
        }
        match both {
            _ if both == one => Ok(a),
            _ if both == other => Ok(b),
            _ => self.nodes.add(both),
        }
    }

    /// The root of a set at a greater height.
    fn raise(&mut self, set: SourceSet, height: u8) -> Result<u32, Exhausted> {
        let mut root = set.root;
        if root != EMPTY {
            for _ in set.height..height {
                let mut children = [EMPTY; FAN];
                children[0] = root;
                root = self.nodes.add(children)?;
            }
        }
        Ok(root)
    }

    /// Whether the set holds the given step or one that it tree-precedes.
    pub(super) fn has_successor(&self, tree: &Tree, set: SourceSet, step: Step) -> bool {
        let places = (tree.english(step), tree.hebrew(step));
        self.has_successor_at(tree, set.root, set.height, 0, places)
    }

    /// `index` is the position of the node among all of its height.
    fn has_successor_at(
        &self,
        tree: &Tree,
        node: u32,
        height: u8,
        index: usize,
        (english, hebrew): (u64, u64),
    ) -> bool {
        if node == EMPTY {
            return false;
        }
        let bound = self.bounds[self.levels[usize::from(height)] + index];
        if english > tree.english(bound.english) || hebrew > tree.hebrew(bound.hebrew) {
            return false;
        }
        if height > 0 {
            return self.nodes[node].iter().enumerate().any(|(slot, child)| {
                let index = index * FAN + slot;
                self.has_successor_at(tree, *child, height - 1, index, (english, hebrew))
            });
        }
        let mut bits = self.leaves[node];
        while bits != 0 {
            let source = self.sources[(index as u32) << LEAF_SHIFT | bits.trailing_zeros()];
            if english <= tree.english(source) && hebrew <= tree.hebrew(source) {
                return true;
            }
            bits &= bits - 1;
        }
        false
    }

    /// How many bytes the sets use.
    pub(super) fn bytes(&self) -> usize {
        8 * self.leaves.len() as usize + size_of::<Children>() * self.nodes.len() as usize
    }
}

/// Where each level of so many bounds begins, and how many sources there is room for.
fn layout(bounds: usize) -> ([usize; LEVELS], u32) {
    // An eighth is enough for all levels but the first.
    let mut ranges = (bounds * (FAN - 1) / FAN).saturating_sub(LEVELS);
    let limit = u32::try_from(ranges << LEAF_SHIFT).unwrap_or(u32::MAX);
    let mut levels = [0; LEVELS];
    let mut begin = 0;
    for level in &mut levels {
        *level = begin;
        begin += ranges;
        ranges = ranges.div_ceil(FAN);
    }
    (levels, limit)
}

/// How many bits a number has within a range of a level.
fn shift_of(level: usize) -> u32 {
    LEAF_SHIFT + FAN_SHIFT * level as u32
}

/// The height of a tree that has room for a number.
fn height_for(number: u32) -> u8 {
    let mut rest = number >> LEAF_SHIFT;
    let mut height = 0;
    while rest > 0 {
        rest >>= FAN_SHIFT;
        height += 1;
    }
    height
}

fn later(tree: &Tree, a: Bound, b: Bound) -> Bound {
    let english = if tree.english(b.english) > tree.english(a.english) { b } else { a }.english;
    let hebrew = if tree.hebrew(b.hebrew) > tree.hebrew(a.hebrew) { b } else { a }.hebrew;
    Bound { english, hebrew }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{ROOT, Step, Tree};
    use super::{Bound, FAN, Frontiers, SourceSet};
    use crate::order::list::Link;

    fn leak<T: Clone>(value: T, len: usize) -> &'static mut [T] {
        vec![value; len].leak()
    }

    /// A tree with many sibling tasks, of which every third has a child.
    fn sample(tasks: u32) -> Tree {
        let len = 4 * tasks as usize;
        let mut tree = Tree::new(leak(Link::default(), len), leak(Link::default(), len));
        tree.clear().unwrap();
        let (mut main, mut forks) = (ROOT, 0);
        for task in 0..tasks {
            let (child, rest) = tree.fork(main, &mut forks).unwrap();
            main = rest;
            if task % 3 == 0 {
                tree.fork(child, &mut 0).unwrap();
            }
        }
        tree
    }

    fn frontiers() -> Frontiers {
        let bounds = leak(Bound::default(), 2000);
        Frontiers::new(leak(0, 20_000), leak(0, 40_000), leak([0; FAN], 200_000), bounds)
    }

    #[test]
    fn a_query_agrees_with_looking_at_every_source() {
        let tree = sample(400);
        let mut frontiers = frontiers();
        let mut set = SourceSet::EMPTY;
        let mut members = Vec::new();
        for step in (0..tree.steps()).rev().step_by(2) {
            let number = frontiers.register(&tree, step).unwrap();
            if step % 3 == 0 {
                set = frontiers.insert(set, number).unwrap();
                members.push(step);
            }
        }
        assert!(members.len() > 100);
        for other in 0..tree.steps() {
            let expected = members.iter().any(|member| tree.precedes_or_is(other, *member));
            assert_eq!(frontiers.has_successor(&tree, set, other), expected, "{other}");
        }
    }

    #[test]
    fn unions_hold_what_either_holds_across_heights() {
        let tree = sample(4_000);
        let mut frontiers = frontiers();
        let steps: Vec<Step> = (0..tree.steps()).collect();
        let (mut low, mut high) = (SourceSet::EMPTY, SourceSet::EMPTY);
        let is_low = |number: u32| number.is_multiple_of(5) && number < 300;
        for step in &steps {
            let number = frontiers.register(&tree, *step).unwrap();
            if is_low(number) {
                low = frontiers.insert(low, number).unwrap();
            } else if number % 5 == 1 {
                high = frontiers.insert(high, number).unwrap();
            }
        }
        let both = frontiers.union(low, high).unwrap();
        assert_eq!(frontiers.union(both, low).unwrap(), both, "a superset is itself");
        for step in steps.iter().step_by(7) {
            let holds = |number: &u32| is_low(*number) || number % 5 == 1;
            let expected =
                steps.iter().filter(|number| holds(number)).any(|m| tree.precedes_or_is(*step, *m));
            assert_eq!(frontiers.has_successor(&tree, both, *step), expected, "{step}");
        }
    }
}
