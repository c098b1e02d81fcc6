//! Race links and joins of a task tree: the band below the leaves in which they run.
//!
//! Such links connect leaves far apart. Drawn directly they would run through everything in
//! between, so they go straight down into a band under the whole tree, where each gets a track of
//! its own if it overlaps with others. The layout keeps the space below those leaves free.

use crate::draw::palette::Stroke;
use crate::draw::ports::{self, End, Turn};
use crate::draw::scene::{Frame, Point, Shape, TAG_HEIGHT, Tag};
use crate::draw::tracks::{self, Segment, Side};

/// Distance of two tracks in the band; a label has to fit between them.
const TRACK: f64 = TAG_HEIGHT + 6.0;
/// Distance of two lines below one leaf.
pub(crate) const TAIL: f64 = 6.0;

/// A race link or a join, from one node to another.
pub(crate) struct Link {
    pub ends: [usize; 2],
    pub stroke: Stroke,
    pub label: String,
    pub hover: String,
}

/// The band below the tree in which the links between leaves run.
pub(crate) struct Band {
    /// For every link, the x coordinates of its two ends and the y coordinate of its track;
    /// nothing for links that touch an internal node.
    runs: Vec<Option<([f64; 2], f64)>>,
    pub end: f64,
}

impl Band {
    pub(crate) fn new(shapes: &[Shape], children: &[Vec<usize>], links: &[Link], top: f64) -> Self {
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
        let end = tracks.iter().max().map_or(top, |&last| first + last as f64 * TRACK + 10.0);
        Self { runs, end }
    }

    pub(crate) fn points(&self, shapes: &[Shape], index: usize, link: &Link) -> Vec<Point> {
        let [a, b] = link.ends.map(|node| shapes[node].frame);
        match self.runs[index] {
            Some((xs, y)) => vec![
                Point { x: xs[0], y: a.bottom() },
                Point { x: xs[0], y },
                Point { x: xs[1], y },
                Point { x: xs[1], y: b.bottom() },
            ],
            // An internal node has its children below, so the link goes from side to side.
            None if a.centre.x <= b.centre.x => side_to_side(a.right(), b.left(), &a, &b),
            None => side_to_side(a.left(), b.right(), &a, &b),
        }
    }

    /// The label of a link, on its track where the fewest other links come through.
    pub(crate) fn tag(&self, shapes: &[Shape], index: usize, link: &Link) -> Tag {
        let half = Tag::width(&link.label) / 2.0;
        let Some((xs, y)) = self.runs[index] else {
            let points = self.points(shapes, index, link);
            return tag_between_shapes(shapes, &points, &link.label);
        };
        let (lo, hi) = (xs[0].min(xs[1]), xs[0].max(xs[1]));
        let free = (hi - lo - 2.0 * half).max(0.0);
        let crossed = |x: f64| {
            let deeper = self.runs.iter().flatten().filter(|run| run.1 > y);
            deeper.flat_map(|run| run.0).filter(|other| (other - x).abs() < half + 3.0).count()
        };
        // From the middle outwards, so that the middle wins when nothing is in the way.
        let x = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]
            .map(|part| lo.midpoint(hi) + (part - 0.5) * free)
            .into_iter()
            .min_by_key(|&x| crossed(x))
            .unwrap_or(lo);
        Tag { centre: Point { x, y }, text: link.label.clone() }
    }
}

/// A label on a line that does not run in the band, where it hides the fewest shapes.
fn tag_between_shapes(shapes: &[Shape], points: &[Point], text: &str) -> Tag {
    let hidden = |tag: &Tag| {
        let frames = shapes.iter().map(|shape| &shape.frame);
        let corners = frames.map(|frame| {
            let upper = Point { x: frame.left(), y: frame.top() };
            (upper, Point { x: frame.right(), y: frame.bottom() })
        });
        corners.filter(|&(upper, lower)| tag.touches(upper, lower)).count()
    };
    let tag_at = |centre: Point| Tag { centre, text: text.to_string() };
    let places = points.windows(2).flat_map(|piece| {
        [0.5, 0.25, 0.75].map(|part| Point {
            x: piece[0].x + (piece[1].x - piece[0].x) * part,
            y: piece[0].y + (piece[1].y - piece[0].y) * part,
        })
    });
    let origin = Point { x: 0.0, y: 0.0 };
    places.map(tag_at).min_by_key(hidden).unwrap_or_else(|| tag_at(origin))
}

/// A line between two nodes of which at least one is internal.
fn side_to_side(from_x: f64, to_x: f64, from: &Frame, to: &Frame) -> Vec<Point> {
    let (start, end) = (from.centre.y, to.centre.y);
    let middle = from_x.midpoint(to_x);
    vec![
        Point { x: from_x, y: start },
        Point { x: middle, y: start },
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
                let turn = if far < here { Turn::Before } else { Turn::After };
                // The nearer the other leaf, the higher the track: links nest like brackets, and
                // the outermost line at a leaf has to turn first.
                let bend = (far - here).abs();
                End { turn, outgoing: true, bend, far }
            })
            .collect();
        let reach = (members.len() as f64 * TAIL - TAIL / 2.0).min(shapes[node].frame.width / 2.0);
        for (&(place, which), offset) in members.iter().zip(ports::spread(&ends, reach - 2.0)) {
            xs[place][which] = here + offset;
        }
    }
    xs
}
