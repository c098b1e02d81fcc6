//! The description of a task tree (a dynamic program structure tree), as the caller states it.

use crate::draw::picture::RaceLink;
use crate::draw::{dot, layout_tree, svg};

/// A task tree: finish and async nodes inside, steps as leaves.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The heading of the picture; it may be empty.
    pub title: String,
    /// The nodes. The children of a node appear from left to right in index order.
    pub nodes: Vec<TreeNode>,
    /// Joins `(from, to)` that order the program but that the tree cannot express.
    pub joins: Vec<(usize, usize)>,
    /// Pairs of unordered, conflicting nodes.
    pub races: Vec<RaceLink>,
}

/// One node of a task tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// Index of the parent. A node whose parent does not exist is drawn as a root, and so is
    /// one node of every cycle of parents.
    pub parent: Option<usize>,
    /// What the node stands for, which decides its shape.
    pub kind: TreeKind,
    /// A short name such as `F0`, `A1` or `S3`.
    pub title: String,
    /// Source statements, shown for steps only.
    pub lines: Vec<String>,
    /// Whether the node takes part in a race, and is to be drawn in red.
    pub racy: bool,
}

/// What a node of a task tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeKind {
    /// A scope that waits for the tasks created in it: an ellipse.
    Finish,
    /// A task: a hexagon.
    Async,
    /// A maximal run of statements without synchronisation: a rounded box.
    Step,
}

impl TreeKind {
    /// The name shown in legends and tooltips.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Async => "async",
            Self::Step => "step",
        }
    }
}

impl Tree {
    /// The tree as a self-contained SVG document.
    pub fn to_svg(&self) -> String {
        svg::render(&layout_tree::lay_out(self))
    }

    /// The tree as Graphviz input.
    pub fn to_dot(&self) -> String {
        dot::tree(self)
    }

    /// The parent links with everything that is not a forest removed.
    pub(crate) fn sound_parents(&self) -> Vec<Option<usize>> {
        let count = self.nodes.len();
        let mut parents: Vec<Option<usize>> =
            self.nodes.iter().map(|node| node.parent.filter(|&p| p < count)).collect();
        // Walk up from every node, marking the nodes with the number of the walk; meeting the
        // own mark again means a cycle, which is cut where the walk entered it.
        let mut walk_of = vec![usize::MAX; count];
        for start in 0..count {
            let mut at = start;
            while walk_of[at] == usize::MAX {
                walk_of[at] = start;
                match parents[at] {
                    Some(up) if walk_of[up] == start => parents[up] = None,
                    Some(up) => at = up,
                    None => break,
                }
            }
        }
        parents
    }

    /// The joins whose two ends exist and differ.
    pub(crate) fn sound_joins(&self) -> Vec<(usize, usize)> {
        let count = self.nodes.len();
        self.joins.iter().copied().filter(|&(a, b)| a < count && b < count && a != b).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Tree, TreeKind, TreeNode};

    fn with_parents(parents: &[Option<usize>]) -> Tree {
        let node = |&parent: &Option<usize>| TreeNode {
            parent,
            kind: TreeKind::Async,
            title: String::new(),
            lines: Vec::new(),
            racy: false,
        };
        Tree { nodes: parents.iter().map(node).collect(), ..Tree::default() }
    }

    #[test]
    fn cycles_and_missing_parents_become_roots() {
        let tree = with_parents(&[Some(1), Some(2), Some(0), Some(0), Some(99), Some(5)]);
        let parents = tree.sound_parents();
        assert_eq!(parents, [None, Some(2), Some(0), Some(0), None, None]);
    }
}
