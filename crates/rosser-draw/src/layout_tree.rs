//! The layout of a task tree: levels from top to bottom, links in a band below the leaves.
//!
//! Race links and joins connect leaves far apart. Drawn directly they would run through
//! everything in between, so each leaf that has one keeps the space below it free, and the links
//! meet in a band under the whole tree, one track each where they overlap.

use crate::contour::{self, Extent};
use crate::layout_lanes::race_hover;
use crate::legend::{self, tree_form};
use crate::palette::{self, NON_TREE_JOIN, RACE, Stroke, TREE_EDGE};
use crate::picture::merged_races;
use crate::ports::{self, End, Turn};
use crate::scene::{Frame, MARGIN, Point, Scene, Shape, TAG_HEIGHT, Tag, Wire};
use crate::tracks::{self, Segment, Side};
use crate::tree::Tree;

/// Free space between neighbours on a level.
const GAP: f64 = 16.0;
/// Distance from the lower edge of a level to the next level.
const LEVEL_GAP: f64 = 36.0;
/// Distance of two tracks in the band; a label has to fit between them.
const TRACK: f64 = TAG_HEIGHT + 6.0;
/// Distance of two lines below one leaf.
const TAIL: f64 = 6.0;

/// A race link or a join, from one node to another.
struct Link {
    ends: [usize; 2],
    stroke: Stroke,
    label: String,
    hover: String,
}

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
    let levels_end = place(
        &mut shapes,
        &children,
        &roots,
        &links,
        Scene::top(&tree.title),
    );
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
    let shape = |node: &crate::tree::TreeNode| {
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
            Extent {
                half,
                tail: (ends > 0).then_some(tail.min(half)),
            }
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
        shape.frame.centre = Point {
            x: MARGIN + x[node],
            y,
        };
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
                    Point {
                        x: start,
                        y: from.bottom(),
                    },
                    Point { x: start, y: bus },
                    Point {
                        x: to.centre.x,
                        y: bus,
                    },
                    Point {
                        x: to.centre.x,
                        y: to.top(),
                    },
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

/// The band below the tree in which the links between leaves run.
struct Band {
    /// For every link, the x coordinates of its two ends and the y coordinate of its track;
    /// nothing for links that touch an internal node.
    runs: Vec<Option<([f64; 2], f64)>>,
    end: f64,
}

impl Band {
    fn new(shapes: &[Shape], children: &[Vec<usize>], links: &[Link], top: f64) -> Self {
        let is_leaf = |node: usize| children[node].is_empty();
        let low: Vec<usize> = (0..links.len())
            .filter(|&index| links[index].ends.iter().all(|&end| is_leaf(end)))
            .collect();
        let xs = port_positions(shapes, links, &low);
        let segments: Vec<Segment> = low
            .iter()
            .zip(&xs)
            .map(|(&index, &[a, b])| {
                let label = Tag::width(&links[index].label);
                Segment::new((a, Side::Before), (b, Side::Before)).at_least(label)
            })
            .collect();
        let tracks = tracks::assign(&segments, 8.0);
        let mut runs = vec![None; links.len()];
        let first = top + 24.0;
        for ((&index, &ends), &track) in low.iter().zip(&xs).zip(&tracks) {
            runs[index] = Some((ends, first + track as f64 * TRACK));
        }
        let end = tracks
            .iter()
            .max()
            .map_or(top, |&last| first + last as f64 * TRACK + 10.0);
        Self { runs, end }
    }

    fn points(&self, shapes: &[Shape], index: usize, link: &Link) -> Vec<Point> {
        let [a, b] = link.ends.map(|node| shapes[node].frame);
        match self.runs[index] {
            Some((xs, y)) => vec![
                Point {
                    x: xs[0],
                    y: a.bottom(),
                },
                Point { x: xs[0], y },
                Point { x: xs[1], y },
                Point {
                    x: xs[1],
                    y: b.bottom(),
                },
            ],
            // An internal node has its children below, so the link goes from side to side.
            None if a.centre.x <= b.centre.x => side_to_side(a.right(), b.left(), &a, &b),
            None => side_to_side(a.left(), b.right(), &a, &b),
        }
    }

    /// The label of a link, on its track where the fewest other links come through.
    fn tag(&self, shapes: &[Shape], index: usize, link: &Link) -> Tag {
        let half = Tag::width(&link.label) / 2.0;
        let Some((xs, y)) = self.runs[index] else {
            let points = self.points(shapes, index, link);
            return tag_between_shapes(shapes, &points, &link.label);
        };
        let (lo, hi) = (xs[0].min(xs[1]), xs[0].max(xs[1]));
        let free = (hi - lo - 2.0 * half).max(0.0);
        let crossed = |x: f64| {
            let deeper = self.runs.iter().flatten().filter(|run| run.1 > y);
            deeper
                .flat_map(|run| run.0)
                .filter(|other| (other - x).abs() < half + 3.0)
                .count()
        };
        // From the middle outwards, so that the middle wins when nothing is in the way.
        let x = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]
            .map(|part| lo.midpoint(hi) + (part - 0.5) * free)
            .into_iter()
            .min_by_key(|&x| crossed(x))
            .unwrap_or(lo);
        Tag {
            centre: Point { x, y },
            text: link.label.clone(),
        }
    }
}

/// A label on a line that does not run in the band, where it hides the fewest shapes.
fn tag_between_shapes(shapes: &[Shape], points: &[Point], text: &str) -> Tag {
    let hidden = |tag: &Tag| {
        let frames = shapes.iter().map(|shape| &shape.frame);
        let corners = frames.map(|frame| {
            let upper = Point {
                x: frame.left(),
                y: frame.top(),
            };
            (
                upper,
                Point {
                    x: frame.right(),
                    y: frame.bottom(),
                },
            )
        });
        corners
            .filter(|&(upper, lower)| tag.touches(upper, lower))
            .count()
    };
    let tag_at = |centre: Point| Tag {
        centre,
        text: text.to_string(),
    };
    let places = points.windows(2).flat_map(|piece| {
        [0.5, 0.25, 0.75].map(|part| Point {
            x: piece[0].x + (piece[1].x - piece[0].x) * part,
            y: piece[0].y + (piece[1].y - piece[0].y) * part,
        })
    });
    let origin = Point { x: 0.0, y: 0.0 };
    places
        .map(tag_at)
        .min_by_key(hidden)
        .unwrap_or_else(|| tag_at(origin))
}

/// A line between two nodes of which at least one is internal.
fn side_to_side(from_x: f64, to_x: f64, from: &Frame, to: &Frame) -> Vec<Point> {
    let (start, end) = (from.centre.y, to.centre.y);
    let middle = from_x.midpoint(to_x);
    vec![
        Point {
            x: from_x,
            y: start,
        },
        Point {
            x: middle,
            y: start,
        },
        Point { x: middle, y: end },
        Point { x: to_x, y: end },
    ]
}

/// Where the given links leave the lower sides of their two leaves.
fn port_positions(shapes: &[Shape], links: &[Link], low: &[usize]) -> Vec<[f64; 2]> {
    let mut members: Vec<Vec<(usize, usize)>> = vec![Vec::new(); shapes.len()];
    for (place, &index) in low.iter().enumerate() {
        for (which, &node) in links[index].ends.iter().enumerate() {
            members[node].push((place, which));
        }
    }
    let mut xs = vec![[0.0; 2]; low.len()];
    for (node, members) in members.iter().enumerate() {
        let here = shapes[node].frame.centre.x;
        let ends: Vec<End> = members
            .iter()
            .map(|&(place, which)| {
                let far = shapes[links[low[place]].ends[1 - which]].frame.centre.x;
                let turn = if far < here {
                    Turn::Before
                } else {
                    Turn::After
                };
                // The nearer the other leaf, the higher the track: links nest like brackets, and
                // the outermost line at a leaf has to turn first.
                let bend = (far - here).abs();
                End {
                    turn,
                    outgoing: true,
                    bend,
                    far,
                }
            })
            .collect();
        let reach = (members.len() as f64 * TAIL - TAIL / 2.0).min(shapes[node].frame.width / 2.0);
        for (&(place, which), offset) in members.iter().zip(ports::spread(&ends, reach - 2.0)) {
            xs[place][which] = here + offset;
        }
    }
    xs
}

#[cfg(test)]
mod tests {
    use super::lay_out;
    use crate::scene::Scene;
    use crate::testing::{assert_no_overlap, passes_through, random_tree};
    use crate::{Tree, TreeKind, TreeNode};

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
                assert!(
                    !passes_through(wire, &shapes),
                    "seed {seed}: {}",
                    wire.hover
                );
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
        let tree = Tree {
            nodes: (0..2_000).map(node).collect(),
            ..Tree::default()
        };
        assert_eq!(lay_out(&tree).shapes.len(), 2_000);
    }
}
