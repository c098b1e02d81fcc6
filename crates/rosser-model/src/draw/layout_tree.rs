//! The layout of a task tree: levels from top to bottom, links in a band below the leaves.

use crate::draw::contour::{self, Extent};
use crate::draw::layout_lanes::race_hover;
use crate::draw::legend::{self, tree_form};
use crate::draw::palette::{self, NON_TREE_JOIN, RACE, TREE_EDGE};
use crate::draw::picture::merged_races;
use crate::draw::scene::{MARGIN, Point, Scene, Shape, Tag, Wire};
use crate::draw::tree::Tree;
use crate::draw::tree_links::{Band, Link, TAIL};

/// Free space between neighbours on a level.
const GAP: f64 = 16.0;
/// Distance from the lower edge of a level to the next level.
const LEVEL_GAP: f64 = 36.0;

/// Lays a tree out.
pub(crate) fn lay_out(tree: &Tree) -> Scene {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
    let mut roots = Vec::new();
    for (node, parent) in tree.sound_parents().into_iter().enumerate() {
        match parent {
            Some(parent) => children[parent].push(node),
            None => roots.push(node),
        }
    }
    let races = merged_races(&tree.races, tree.nodes.len());
    let joins = tree.sound_joins();
    let title = |node: usize| &tree.nodes[node].title;
    let join_links = joins.iter().map(|&(from, to)| Link {
        ends: [from, to],
        stroke: NON_TREE_JOIN,
        label: String::new(),
        hover: format!("join not in the tree: {} → {}", title(from), title(to)),
    });
    let race_links = races.iter().map(|link| Link {
        ends: [link.a, link.b],
        stroke: RACE,
        label: Tag::clip(&link.label),
        hover: race_hover(link, title),
    });
    let links: Vec<Link> = join_links.chain(race_links).collect();

    let mut shapes = shapes(tree);
    let levels_end = place(&mut shapes, &children, &roots, &links, Scene::top(&tree.title));
    let mut wires = tree_edges(&shapes, &children, &roots);
    let band = Band::new(&shapes, &children, &links, levels_end);
    wires.extend(links.iter().enumerate().map(|(index, link)| Wire {
        points: band.points(&shapes, index, link),
        radius: 14.0,
        halo: true,
        stroke: link.stroke,
        hover: link.hover.clone(),
    }));
    let tags: Vec<Tag> = links
        .iter()
        .enumerate()
        .filter(|(_, link)| !link.label.is_empty())
        .map(|(index, link)| band.tag(&shapes, index, link))
        .collect();

    let right = shapes.iter().map(|shape| shape.frame.right());
    let right = right.chain(tags.iter().map(|t| t.centre.x + Tag::width(&t.text) / 2.0));
    Scene {
        title: tree.title.clone(),
        description: format!(
            "Task tree with {} nodes, {} joins outside the tree and {} race links.",
            tree.nodes.len(),
            joins.len(),
            races.len()
        ),
        right: right.fold(MARGIN, f64::max),
        bottom: band.end,
        legend: legend::of_tree(tree, joins.len(), &races),
        bands: Vec::new(),
        tags,
        wires,
        shapes,
    }
}

fn shapes(tree: &Tree) -> Vec<Shape> {
    let shape = |node: &crate::draw::tree::TreeNode| {
        let paint = palette::tree_node(node.kind, node.racy);
        let mut shape = Shape::sized(tree_form(node.kind), paint, &node.title, &node.lines);
        shape.bold_outline = node.racy;
        shape
    };
    tree.nodes.iter().map(shape).collect()
}

/// Gives every shape its centre and returns the lower edge of the last level.
fn place(
    shapes: &mut [Shape],
    children: &[Vec<usize>],
    roots: &[usize],
    links: &[Link],
    top: f64,
) -> f64 {
    let mut ends = vec![0_usize; shapes.len()];
    for &end in links.iter().flat_map(|link| &link.ends) {
        ends[end] += 1;
    }
    let extents: Vec<Extent> = shapes
        .iter_mut()
        .zip(&ends)
        .map(|(shape, &ends)| {
            let tail = ends as f64 * TAIL;
            shape.frame.width = shape.frame.width.max((2.0 * tail).min(400.0));
            let half = shape.frame.width / 2.0;
            Extent { half, tail: (ends > 0).then_some(tail.min(half)) }
        })
        .collect();
    let x = contour::place(children, roots, &extents, GAP);
    let (_, depth) = contour::top_down(children, roots);

    let levels = depth.iter().max().map_or(0, |&last| last + 1);
    let mut heights = vec![0.0_f64; levels];
    for (shape, &level) in shapes.iter().zip(&depth) {
        heights[level] = heights[level].max(shape.frame.height);
    }
    let mut tops = Vec::with_capacity(levels);
    let mut y = top;
    for height in &heights {
        tops.push(y);
        y += height + LEVEL_GAP;
    }
    for (node, shape) in shapes.iter_mut().enumerate() {
        // Aligned at the top, so that siblings hang from their parent at one height.
        let y = tops[depth[node]] + shape.frame.height / 2.0;
        shape.frame.centre = Point { x: MARGIN + x[node], y };
    }
    if levels == 0 { top } else { y - LEVEL_GAP }
}

/// The lines from parents to children: down to a bus halfway above the children, along, down.
fn tree_edges(shapes: &[Shape], children: &[Vec<usize>], roots: &[usize]) -> Vec<Wire> {
    let (order, _) = contour::top_down(children, roots);
    let mut wires = Vec::new();
    for &parent in &order {
        let from = &shapes[parent].frame;
        for &child in &children[parent] {
            let to = &shapes[child].frame;
            let bus = to.top() - LEVEL_GAP / 2.0;
            // A child almost below its parent gets a straight line instead of a kink.
            let aside = (from.centre.x - to.centre.x).abs() < 6.0;
            let start = if aside { to.centre.x } else { from.centre.x };
            wires.push(Wire {
                points: vec![
                    Point { x: start, y: from.bottom() },
                    Point { x: start, y: bus },
                    Point { x: to.centre.x, y: bus },
                    Point { x: to.centre.x, y: to.top() },
                ],
                radius: 8.0,
                // The lines of one parent share their first part; a halo would cut it up.
                halo: false,
                stroke: TREE_EDGE,
                hover: format!("{} → {}", shapes[parent].title, shapes[child].title),
            });
        }
    }
    wires
}

#[cfg(test)]
mod tests {
    use super::lay_out;
    use crate::draw::scene::Scene;
    use crate::draw::testing::{assert_no_overlap, passes_through, random_tree};
    use crate::draw::{Tree, TreeKind, TreeNode};

    #[test]
    fn nodes_do_not_overlap_and_parents_are_centred() {
        for seed in 0..150 {
            let tree = random_tree(seed);
            let scene = lay_out(&tree);
            assert_no_overlap(&scene.shapes);
            for parent in 0..tree.nodes.len() {
                let x = |node: usize| scene.shapes[node].frame.centre.x;
                let is_child = |&node: &usize| tree.nodes[node].parent == Some(parent);
                let first = (0..tree.nodes.len()).find(is_child);
                let last = (0..tree.nodes.len()).rfind(is_child);
                if let Some((first, last)) = first.zip(last) {
                    assert!((x(parent) - x(first).midpoint(x(last))).abs() < 1e-6);
                    assert!(scene.shapes[parent].frame.bottom() < scene.shapes[first].frame.top());
                }
            }
        }
    }

    #[test]
    fn lines_avoid_the_boxes_of_others() {
        for seed in 0..150 {
            let mut tree = random_tree(seed);
            let is_leaf = |node: usize| tree.nodes[node].kind == TreeKind::Step;
            tree.races.retain(|link| is_leaf(link.a) && is_leaf(link.b));
            tree.joins.retain(|&(a, b)| is_leaf(a) && is_leaf(b));
            let Scene { shapes, wires, .. } = lay_out(&tree);
            for wire in &wires {
                assert!(!passes_through(wire, &shapes), "seed {seed}: {}", wire.hover);
            }
        }
    }

    #[test]
    fn a_long_chain_is_fine() {
        let node = |index: usize| TreeNode {
            parent: index.checked_sub(1),
            kind: TreeKind::Async,
            title: format!("A{index}"),
            lines: Vec::new(),
            racy: false,
        };
        let tree = Tree { nodes: (0..2_000).map(node).collect(), ..Tree::default() };
        assert_eq!(lay_out(&tree).shapes.len(), 2_000);
    }
}
