//! The Dynamic Program Structure Tree: finish and async nodes inside, steps as leaves, children in
//! program order (Raman et al., PLDI 2012; as used by DRDP).

/// A node of the tree, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// A join scope; the root is the implicit one around the program.
    Finish,
    /// A task, or the empty task of a promise.
    Async,
    /// A step.
    Step,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: NodeId,
    depth: u32,
    /// Position among the children of the parent.
    position: u32,
    children: u32,
    kind: NodeKind,
}

/// The tree, which only ever grows to the right under each node.
#[derive(Clone, Debug)]
pub(super) struct Dpst {
    nodes: Vec<Node>,
}

impl Dpst {
    /// The implicit finish around the program.
    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn new() -> Self {
        let root =
            Node { parent: Self::ROOT, depth: 0, position: 0, children: 0, kind: NodeKind::Finish };
        Self { nodes: vec![root] }
    }

    /// Adds a rightmost child.
    pub(super) fn add(&mut self, parent: NodeId, kind: NodeKind) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 tree nodes"));
        let above = &mut self.nodes[parent.0 as usize];
        let (depth, position) = (above.depth + 1, above.children);
        above.children += 1;
        self.nodes.push(Node { parent, depth, position, children: 0, kind });
        id
    }

    /// Whether the tree alone orders step `a` before step `b`: `a` is to the left of `b`, and the
    /// child of their lowest common ancestor above `a` is not an async node.
    ///
    /// The published `lca_lc` assumes that `a` is the left one. With cooperative switching a step
    /// to the *right* may have run earlier; then the tree orders nothing.
    pub(super) fn precedes(&self, a: NodeId, b: NodeId) -> bool {
        if a == b {
            return true;
        }
        let at = |id: NodeId| self.nodes[id.0 as usize];
        let (mut left, mut right) = (a, b);
        while at(left).depth > at(right).depth {
            left = at(left).parent;
        }
        while at(right).depth > at(left).depth {
            right = at(right).parent;
        }
        while at(left).parent != at(right).parent {
            left = at(left).parent;
            right = at(right).parent;
        }
        at(left).position < at(right).position && at(left).kind != NodeKind::Async
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}
