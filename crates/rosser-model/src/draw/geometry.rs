//! From the planned way of a line, and the coordinates of everything, to the points of the line.

use crate::draw::coordinates::{Across, Down};
use crate::draw::picture::Edge;
use crate::draw::route::{EdgeRoute, EdgeWay, RaceRoute, RaceWay};
use crate::draw::scene::{Point, Shape, TAG_HEIGHT, Tag, Wire};

/// All that is needed to turn a route into points.
pub(crate) struct Geometry<'a> {
    pub shapes: &'a [Shape],
    pub across: &'a Across,
    pub down: &'a Down,
}

impl Geometry<'_> {
    pub(crate) fn edge(&self, edge: &Edge, route: &EdgeRoute) -> Vec<Point> {
        let (start_x, end_x) = (self.across.port[route.exit], self.across.port[route.entry]);
        let start = self.on_outline(edge.from, start_x, 1.0);
        let end = self.on_outline(edge.to, end_x, -1.0);
        let y = |piece: usize| self.down.horizontal[piece];
        let mut points = vec![start];
        match route.way {
            EdgeWay::Straight => {}
            EdgeWay::Across(piece) => {
                points.push(Point { x: start_x, y: y(piece) });
                points.push(Point { x: end_x, y: y(piece) });
            }
            EdgeWay::Around(first, vertical, second) => {
                let x = self.across.vertical[vertical];
                points.push(Point { x: start_x, y: y(first) });
                points.push(Point { x, y: y(first) });
                points.push(Point { x, y: y(second) });
                points.push(Point { x: end_x, y: y(second) });
            }
        }
        points.push(end);
        points
    }

    pub(crate) fn race(&self, route: &RaceRoute) -> Vec<Point> {
        let [start_y, end_y] = route.ports.map(|port| self.down.port[port]);
        let start = self.on_side(route.a, start_y, route.a_right);
        let end = self.on_side(route.b, end_y, route.b_right);
        let x = |vertical: usize| self.across.vertical[vertical];
        let mut points = vec![start];
        match route.way {
            RaceWay::Beside(vertical) => {
                points.push(Point { x: x(vertical), y: start_y });
                points.push(Point { x: x(vertical), y: end_y });
            }
            RaceWay::Around(first, piece, second) => {
                let y = self.down.horizontal[piece];
                points.push(Point { x: x(first), y: start_y });
                points.push(Point { x: x(first), y });
                points.push(Point { x: x(second), y });
                points.push(Point { x: x(second), y: end_y });
            }
        }
        points.push(end);
        points
    }

    /// The label of a link, on its vertical piece where it hides the least of other lines.
    pub(crate) fn tag(&self, route: &RaceRoute, text: &str, wires: &[Wire]) -> Tag {
        let x = self.across.vertical[route.labelled];
        let points = self.race(route);
        let ys = || points.iter().filter(|point| (point.x - x).abs() < 1e-6).map(|point| point.y);
        let (top, bottom) = (ys().fold(f64::MAX, f64::min), ys().fold(f64::MIN, f64::max));
        let free = (bottom - top - TAG_HEIGHT - 8.0).max(0.0);
        let hidden = |tag: &Tag| {
            let pieces = wires.iter().flat_map(|wire| wire.points.windows(2));
            pieces.filter(|piece| tag.touches(piece[0], piece[1])).count()
        };
        let tag_at = |part: f64| Tag {
            centre: Point { x, y: top.midpoint(bottom) + (part - 0.5) * free },
            text: text.to_string(),
        };
        // From the middle outwards, so that the middle wins when nothing is in the way.
        [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0, 1.0]
            .into_iter()
            .map(tag_at)
            .min_by_key(hidden)
            .unwrap_or_else(|| tag_at(0.5))
    }

    /// The point of a node's upper (`sign` -1) or lower (`sign` +1) outline at `x`.
    fn on_outline(&self, node: usize, x: f64, sign: f64) -> Point {
        let shape = &self.shapes[node];
        let centre = shape.frame.centre;
        let (half_width, half_height) = (shape.frame.width / 2.0, shape.frame.height / 2.0);
        let reach = shape.form.reach(half_height, half_width, x - centre.x);
        Point { x, y: centre.y + sign * reach }
    }

    /// The point of a node's right or left outline at `y`.
    fn on_side(&self, node: usize, y: f64, right: bool) -> Point {
        let shape = &self.shapes[node];
        let centre = shape.frame.centre;
        let (half_width, half_height) = (shape.frame.width / 2.0, shape.frame.height / 2.0);
        let reach = shape.form.reach(half_width, half_height, y - centre.y);
        Point { x: if right { centre.x + reach } else { centre.x - reach }, y }
    }
}
