//! What the tests of several modules share: random pictures that are the same on every run, and
//! the geometric properties that every layout must have.

use crate::draw::scene::{Shape, Wire};
use crate::draw::{Edge, EdgeKind, Node, NodeKind, Picture, RaceLink, Tree, TreeKind, TreeNode};

/// A xorshift generator: not good, but deterministic and dependency-free.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`, which must not be zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }
}

/// A random picture whose edges all go from lower to higher indices.
pub(crate) fn random_picture(seed: u64) -> Picture {
    let mut dice = Dice::new(seed);
    let lanes = 1 + dice.below(5);
    let count = 2 + dice.below(30);
    let random_node = |dice: &mut Dice, index: usize| {
        let statements: Vec<String> =
            (0..dice.below(4)).map(|_| "x <- load y; z".repeat(1 + dice.below(3))).collect();
        let mut random = Node::step(dice.below(lanes), format!("S{index}"), statements);
        random.kind = match dice.below(8) {
            0 => NodeKind::Promise,
            1 => NodeKind::UnfulfilledPromise,
            2 => NodeKind::Join,
            _ => NodeKind::Step,
        };
        random
    };
    let nodes = (0..count).map(|index| random_node(&mut dice, index)).collect();
    let edges = (0..dice.below(count * 2))
        .map(|_| {
            let to = 1 + dice.below(count - 1);
            Edge { from: dice.below(to), to, kind: EdgeKind::ALL[dice.below(6)] }
        })
        .collect();
    let races = (0..dice.below(7))
        .map(|index| RaceLink {
            a: dice.below(count),
            b: dice.below(count),
            label: format!("variable{index}"),
        })
        .collect();
    let lanes = (0..lanes).map(|l| format!("task {l}")).collect();
    Picture { title: "random".into(), lanes, nodes, edges, races }
}

/// A random tree; only nodes without children are steps.
pub(crate) fn random_tree(seed: u64) -> Tree {
    let mut dice = Dice::new(seed);
    let count = 1 + dice.below(50);
    let mut nodes: Vec<TreeNode> = (0..count)
        .map(|index| TreeNode {
            parent: (index > 0).then(|| dice.below(index)),
            kind: TreeKind::Step,
            title: format!("N{index}"),
            lines: vec!["x <- 1".repeat(1 + dice.below(4)); dice.below(3)],
            racy: false,
        })
        .collect();
    for index in 1..count {
        if let Some(parent) = nodes[index].parent {
            nodes[parent].kind = [TreeKind::Finish, TreeKind::Async][dice.below(2)];
        }
    }
    let joins = (0..dice.below(4)).map(|_| (dice.below(count), dice.below(count))).collect();
    let races = (0..dice.below(6))
        .map(|_| RaceLink { a: dice.below(count), b: dice.below(count), label: "x".into() })
        .collect();
    Tree { title: "random".into(), nodes, joins, races }
}

/// Fails if two shapes overlap.
pub(crate) fn assert_no_overlap(shapes: &[Shape]) {
    for (index, shape) in shapes.iter().enumerate() {
        let a = &shape.frame;
        for other in &shapes[..index] {
            let b = &other.frame;
            let apart = a.right() <= b.left()
                || b.right() <= a.left()
                || a.bottom() <= b.top()
                || b.bottom() <= a.top();
            assert!(apart, "{} and {} overlap", shape.title, other.title);
        }
    }
}

/// Whether some piece of a line runs through the inside of a shape. The ends of the line touch
/// the outlines of its own two shapes, which is not the inside.
pub(crate) fn passes_through(wire: &Wire, shapes: &[Shape]) -> bool {
    let inside = |shape: &Shape, piece: &[crate::draw::scene::Point]| {
        let frame = &shape.frame;
        let (a, b) = (piece[0], piece[1]);
        // Ellipses are touched inside their frame, hence the generous margin.
        let margin = frame.height.min(frame.width) / 2.0 - 1.0;
        let margin = if shape.form == crate::draw::scene::Form::Box { 0.5 } else { margin };
        a.x.max(b.x) > frame.left() + margin
            && a.x.min(b.x) < frame.right() - margin
            && a.y.max(b.y) > frame.top() + margin
            && a.y.min(b.y) < frame.bottom() - margin
    };
    wire.points.windows(2).any(|piece| shapes.iter().any(|shape| inside(shape, piece)))
}
