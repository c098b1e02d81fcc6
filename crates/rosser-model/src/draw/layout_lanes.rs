//! The layout of a computation graph: from cells and planned ways to shapes and lines.
//!
//! This is where the passes come together: rows, grid, plan, coordinates. What is left to do
//! here is to size the shapes and to collect everything into a scene.

use crate::draw::coordinates::{self, Across, Down};
use crate::draw::geometry::Geometry;
use crate::draw::grid::Grid;
use crate::draw::picture::{NodeKind, Picture, RaceLink, merged_races};
use crate::draw::route::Plan;
use crate::draw::scene::{Band, Form, Point, Scene, Shape, Tag, Wire};
use crate::draw::{legend, palette, rows};

/// Lays a picture out.
pub(crate) fn lay_out(picture: &Picture) -> Scene {
    let edges = picture.sound_edges();
    let races = merged_races(&picture.races, picture.nodes.len());
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let rows = rows::assign(picture.nodes.len(), &pairs);
    let grid = Grid::new(picture, rows, &edges);
    let mut shapes = shapes(picture);
    let labels: Vec<String> = races.iter().map(|link| Tag::clip(&link.label)).collect();
    let widths: Vec<f64> = labels.iter().map(|label| Tag::width(label)).collect();
    let plan = Plan::new(&grid, &edges, &races, &widths);

    coordinates::make_room(&mut shapes, &grid, &plan);
    let across = Across::new(&grid, &plan, &shapes);
    let top = Scene::top(&picture.title);
    let down = Down::new(&grid, &plan, &shapes, &across, top);
    for (node, shape) in shapes.iter_mut().enumerate() {
        let centre = Point { x: across.column[grid.column[node]], y: down.row[grid.row[node]] };
        shape.frame.centre = centre;
    }

    let geometry = Geometry { shapes: &shapes, across: &across, down: &down };
    let edge_wires = edges.iter().zip(&plan.edges).map(|(edge, route)| Wire {
        points: geometry.edge(edge, route),
        radius: 7.0,
        halo: true,
        stroke: palette::edge(edge.kind),
        hover: format!(
            "{}: {} → {}",
            edge.kind.name(),
            picture.nodes[edge.from].title,
            picture.nodes[edge.to].title
        ),
    });
    let race_wires = races.iter().zip(&plan.races).map(|(link, route)| Wire {
        points: geometry.race(route),
        radius: 14.0,
        halo: true,
        stroke: palette::RACE,
        hover: race_hover(link, |node| &picture.nodes[node].title),
    });
    // Race links come last: they are what the reader is looking for.
    let wires: Vec<Wire> = edge_wires.chain(race_wires).collect();
    let tags = labels
        .into_iter()
        .zip(&plan.races)
        .filter(|(label, _)| !label.is_empty())
        .map(|(label, route)| geometry.tag(route, &label, &wires))
        .collect();

    let bands = grid.lanes.iter().zip(&across.lane).map(|(lane, &(left, right))| Band {
        name: lane.name.clone(),
        left,
        right,
        top,
        bottom: down.end,
    });
    Scene {
        title: picture.title.clone(),
        description: format!(
            "Computation graph with {} nodes in {} lanes, {} edges and {} race links.",
            picture.nodes.len(),
            grid.lanes.len(),
            edges.len(),
            races.len()
        ),
        right: across.end,
        bottom: down.end,
        bands: bands.collect(),
        tags,
        wires,
        legend: legend::of_picture(picture, &edges, &races),
        shapes,
    }
}

/// The tooltip of a race link.
pub(crate) fn race_hover<'a>(link: &RaceLink, title: impl Fn(usize) -> &'a String) -> String {
    format!("race on {}: {} and {}", link.label, title(link.a), title(link.b))
}

/// The shapes of the nodes, not yet placed.
fn shapes(picture: &Picture) -> Vec<Shape> {
    let shape = |node: &crate::draw::picture::Node| {
        let form = match node.kind {
            NodeKind::Step => Form::Box,
            NodeKind::Promise => Form::Ellipse,
            NodeKind::UnfulfilledPromise => Form::DashedEllipse,
            NodeKind::Join => Form::Pill,
        };
        let paint = palette::node(node.kind, node.racy);
        let mut shape = Shape::sized(form, paint, &node.title, &node.lines);
        shape.bold_outline = node.racy;
        shape
    };
    picture.nodes.iter().map(shape).collect()
}

#[cfg(test)]
mod tests {
    use super::lay_out;
    use crate::draw::scene::{Point, Scene, Tag, Wire};
    use crate::draw::testing::{Dice, assert_no_overlap, passes_through, random_picture};
    use crate::draw::{Edge, EdgeKind, Node, Picture};

    #[test]
    fn boxes_do_not_overlap_and_stay_in_their_lanes() {
        for seed in 0..200 {
            let picture = random_picture(seed);
            let scene = lay_out(&picture);
            assert_no_overlap(&scene.shapes);
            for (node, shape) in picture.nodes.iter().zip(&scene.shapes) {
                let band = &scene.bands[node.lane];
                assert!(band.left <= shape.frame.left() && shape.frame.right() <= band.right);
                assert!(band.top <= shape.frame.top() && shape.frame.bottom() <= band.bottom);
            }
        }
    }

    #[test]
    fn edges_point_downward_and_no_line_runs_through_a_box() {
        for seed in 0..200 {
            let picture = random_picture(seed);
            let Scene { shapes, wires, .. } = lay_out(&picture);
            for (edge, wire) in picture.edges.iter().zip(&wires) {
                assert!(shapes[edge.from].frame.bottom() < shapes[edge.to].frame.top());
                assert!(wire.points.windows(2).all(|piece| piece[0].y <= piece[1].y + 1e-6));
            }
            for wire in &wires {
                assert!(!passes_through(wire, &shapes), "seed {seed}: {}", wire.hover);
            }
        }
    }

    #[test]
    fn no_two_lines_lie_on_top_of_each_other() {
        let on_top = |p: &[Point], q: &[Point]| {
            let upright = |s: &[Point]| (s[0].x - s[1].x).abs() < 1e-6;
            let flip = |s: &[Point]| [s[0], s[1]].map(|point| Point { x: point.y, y: point.x });
            let along = |p: &[Point], q: &[Point]| {
                let shared = p[0].y.max(p[1].y).min(q[0].y.max(q[1].y))
                    - p[0].y.min(p[1].y).max(q[0].y.min(q[1].y));
                (p[0].x - q[0].x).abs() < 0.5 && shared > 1.0
            };
            match (upright(p), upright(q)) {
                (true, true) => along(p, q),
                (false, false) => along(&flip(p), &flip(q)),
                _ => false,
            }
        };
        for seed in 0..200 {
            let wires: Vec<Wire> = lay_out(&random_picture(seed)).wires;
            for (index, wire) in wires.iter().enumerate() {
                for other in &wires[..index] {
                    let clash = wire
                        .points
                        .windows(2)
                        .any(|p| other.points.windows(2).any(|q| on_top(p, q)));
                    assert!(!clash, "seed {seed}: {} on {}", wire.hover, other.hover);
                }
            }
        }
    }

    #[test]
    fn labels_overlap_neither_boxes_nor_each_other() {
        for seed in 0..200 {
            let Scene { shapes, tags, .. } = lay_out(&random_picture(seed));
            let corners = |tag: &Tag| {
                let half = Tag::width(&tag.text) / 2.0;
                let y = tag.centre.y;
                (Point { x: tag.centre.x - half, y }, Point { x: tag.centre.x + half, y })
            };
            for (index, tag) in tags.iter().enumerate() {
                for other in &tags[..index] {
                    let (a, b) = corners(other);
                    assert!(!tag.touches(a, b), "seed {seed}: {} {}", tag.text, other.text);
                }
                for frame in shapes.iter().map(|shape| &shape.frame) {
                    let upper = Point { x: frame.left(), y: frame.top() };
                    let lower = Point { x: frame.right(), y: frame.bottom() };
                    assert!(!tag.touches(upper, lower), "seed {seed}: {}", tag.text);
                }
            }
        }
    }

    #[test]
    fn cycles_self_loops_and_missing_ends_still_give_a_picture() {
        let nodes = (0..3).map(|n| Node::step(n, format!("S{n}"), ["a"])).collect();
        let pairs = [(0, 1), (1, 0), (1, 1), (2, 7), (0, 2), (2, 0)];
        let edge = |(from, to)| Edge { from, to, kind: EdgeKind::Weak };
        let edges = pairs.into_iter().map(edge).collect();
        let scene = lay_out(&Picture { nodes, edges, ..Picture::default() });
        assert_eq!(scene.wires.len(), 5);
        assert_no_overlap(&scene.shapes);
        assert!(scene.wires.iter().all(|wire| !passes_through(wire, &scene.shapes)));
    }

    #[test]
    fn thousands_of_nodes_are_fine() {
        let mut dice = Dice::new(11);
        let nodes = (0..2_000).map(|n| Node::step(n % 40, format!("S{n}"), ["a"])).collect();
        let edges = (1..2_000)
            .map(|to| Edge { from: dice.below(to), to, kind: EdgeKind::Fork })
            .chain((1..2_000).map(|to| Edge { from: 0, to, kind: EdgeKind::Weak }))
            .collect();
        let scene = lay_out(&Picture { nodes, edges, ..Picture::default() });
        assert_eq!(scene.wires.len(), 2 * 1_999);
    }
}
