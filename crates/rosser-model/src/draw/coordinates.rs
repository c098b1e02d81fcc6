//! The coordinates of columns, rows and lines of a computation graph.
//!
//! The order of the passes follows from what depends on what. The tracks in the gutters need
//! only the plan; they give the widths of the gutters and with them every x coordinate. The
//! tracks in the channels need exact x coordinates; they give the heights of the channels and
//! with them every y coordinate.

use crate::draw::grid::Grid;
use crate::draw::ports;
use crate::draw::route::{Anchor, Plan, Port};
use crate::draw::scene::{MARGIN, Shape};
use crate::draw::text;
use crate::draw::tracks::{self, Segment};

/// Distance of two lines that run in parallel.
const TRACK: f64 = 10.0;
/// Free space between a box and the nearest line beside it.
const CLEAR: f64 = 10.0;
/// Free space between a box and the edge of its lane.
const LANE_PAD: f64 = 12.0;
/// White space between lanes that no line runs through.
const LANE_GAP: f64 = 14.0;
/// Free space below a row, before the first line.
const BELOW_ROW: f64 = 13.0;
/// Free space above a row, after the last line; an arrow head has to fit.
const ABOVE_ROW: f64 = 19.0;
/// The part of a side that lines keep away from, because corners are round.
const CORNER: f64 = 8.0;
/// The widest a box is made only to give its edges room.
const MAX_FAN: f64 = 480.0;
/// Height of the headings of the lanes.
pub(crate) const HEADING: f64 = 26.0;
/// Everything that has an x coordinate.
pub(crate) struct Across {
    /// The centres of the columns.
    pub column: Vec<f64>,
    /// The left and right edges of the lanes.
    pub lane: Vec<(f64, f64)>,
    /// The vertical pieces of the plan.
    pub vertical: Vec<f64>,
    /// The ports of edges.
    pub port: Vec<f64>,
    /// The right edge of everything.
    pub end: f64,
}

impl Across {
    pub(crate) fn new(grid: &Grid, plan: &Plan, shapes: &[Shape]) -> Self {
        let mut widths = vec![0.0_f64; grid.columns];
        for (node, shape) in shapes.iter().enumerate() {
            let width = &mut widths[grid.column[node]];
            *width = width.max(shape.frame.width);
        }
        let starts: Vec<usize> = grid.lanes.iter().map(|lane| lane.first).collect();
        let is_boundary =
            |gutter: usize| gutter == grid.columns || starts.binary_search(&gutter).is_ok();
        for lane in &grid.lanes {
            let inner = (lane.last - lane.first) as f64 * 2.0 * CLEAR;
            let width = widths[lane.first..=lane.last].iter().sum::<f64>() + inner;
            let wanted = text::width(&text::one_line(&lane.name, 40), 13.0);
            widths[lane.spine] += (wanted - width).max(0.0).max(40.0 - width);
        }

        let mut members: Vec<Vec<usize>> = vec![Vec::new(); grid.columns + 1];
        for (index, vertical) in plan.verticals.iter().enumerate() {
            members[vertical.gutter].push(index);
        }
        let mut vertical = vec![0.0; plan.verticals.len()];
        let mut column = Vec::with_capacity(grid.columns);
        let mut x = MARGIN;
        for (gutter, members) in members.iter().enumerate() {
            let pad = if is_boundary(gutter) { LANE_PAD } else { CLEAR };
            let outer = gutter == 0 || gutter == grid.columns;
            x += if gutter == 0 { 0.0 } else { pad };
            let before = x;
            let segments: Vec<Segment> = members
                .iter()
                .map(|&index| {
                    let [a, b] = plan.verticals[index].ends;
                    Segment::new((a.0 as f64, a.1), (b.0 as f64, b.1))
                })
                .collect();
            // Ends are whole half rows, so any clearance below one keeps apart all pieces that
            // meet the same row or channel.
            let tracks = tracks::assign(&segments, 0.5);
            let count = tracks.iter().max().map_or(0, |&last| last + 1);
            let mut sizes = vec![TRACK; count];
            for (&index, &track) in members.iter().zip(&tracks) {
                sizes[track] = sizes[track].max(plan.verticals[index].label + 4.0);
            }
            let mut centres = Vec::with_capacity(count);
            for size in sizes {
                centres.push(x + size / 2.0);
                x += size;
            }
            for (&index, &track) in members.iter().zip(&tracks) {
                vertical[index] = centres[track];
            }
            if is_boundary(gutter) && !outer {
                x = x.max(before + LANE_GAP);
            }
            if let Some(width) = widths.get(gutter) {
                x += pad;
                column.push(x + width / 2.0);
                x += width;
            }
        }
        let edge = |c: usize, sign: f64| column[c] + sign * (widths[c] / 2.0 + LANE_PAD);
        let lane = grid.lanes.iter().map(|l| (edge(l.first, -1.0), edge(l.last, 1.0))).collect();

        let half = |node: usize| shapes[node].frame.width / 2.0;
        let column_of = |node: usize| column[grid.column[node]];
        let port = shaft_positions(&plan.edge_ports, shapes.len(), &grid.below, half, column_of);
        Self { column, lane, vertical, port, end: x }
    }
}

/// Everything that has a y coordinate.
pub(crate) struct Down {
    /// The centres of the rows.
    pub row: Vec<f64>,
    /// The horizontal pieces of the plan.
    pub horizontal: Vec<f64>,
    /// The ports of race links.
    pub port: Vec<f64>,
    /// The lower edge of everything.
    pub end: f64,
}

impl Down {
    pub(crate) fn new(
        grid: &Grid,
        plan: &Plan,
        shapes: &[Shape],
        across: &Across,
        top: f64,
    ) -> Self {
        let mut heights = vec![0.0_f64; grid.rows];
        for (node, shape) in shapes.iter().enumerate() {
            let height = &mut heights[grid.row[node]];
            *height = height.max(shape.frame.height);
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); grid.rows + 1];
        for (index, piece) in plan.horizontals.iter().enumerate() {
            members[piece.channel].push(index);
        }
        let x = |anchor: Anchor| match anchor {
            Anchor::Port(port) => across.port[port],
            Anchor::Vertical(vertical) => across.vertical[vertical],
        };
        let mut horizontal = vec![0.0; plan.horizontals.len()];
        let mut row = Vec::with_capacity(grid.rows);
        let mut y = top + if grid.lanes.is_empty() { 0.0 } else { HEADING };
        for (channel, members) in members.iter().enumerate() {
            let segments: Vec<Segment> = members
                .iter()
                .map(|&index| {
                    let [a, b] = plan.horizontals[index].ends;
                    Segment::new((x(a.0), a.1), (x(b.0), b.1))
                })
                .collect();
            let tracks = tracks::assign(&segments, 6.0);
            let used = !members.is_empty();
            let outer = channel == 0 || channel == grid.rows;
            y += if outer && !used { LANE_PAD - 4.0 } else { BELOW_ROW };
            for (&index, &track) in members.iter().zip(&tracks) {
                horizontal[index] = y + track as f64 * TRACK;
            }
            y += tracks.iter().max().map_or(0.0, |&last| last as f64 * TRACK);
            if let Some(height) = heights.get(channel) {
                y += if outer && !used { 0.0 } else { ABOVE_ROW };
                row.push(y + height / 2.0);
                y += height;
            } else if used {
                y += LANE_PAD;
            }
        }
        let half = |node: usize| shapes[node].frame.height / 2.0;
        let row_of = |node: usize| row[grid.row[node]];
        let port = shaft_positions(&plan.race_ports, shapes.len(), &grid.right, half, row_of);
        Self { row, horizontal, port, end: y + 4.0 }
    }
}

/// The coordinates of ports, spread shaft by shaft; `next` gives the node at the far end of the
/// shaft that begins at a node, `half` the half extent of a node across the shaft.
fn shaft_positions(
    ports: &[Port],
    count: usize,
    next: &[Option<usize>],
    half: impl Fn(usize) -> f64,
    centre: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let shafts = by_shaft(ports, count);
    let mut positions = vec![0.0; ports.len()];
    for (shaft, members) in shafts {
        let node = shaft % count;
        let far = if shaft < count { next[node] } else { None };
        // Both boxes must be hit. Rounded corners are not a good place to hit them.
        let reach = far.map_or(half(node), |far| half(node).min(half(far))) - CORNER;
        let ends: Vec<ports::End> = members.iter().map(|&index| ports[index].end).collect();
        let offsets = ports::spread(&ends, reach.max(1.0));
        for (&index, offset) in members.iter().zip(offsets) {
            positions[index] = centre(node) + offset;
        }
    }
    positions
}

/// The ports of every shaft that has any.
fn by_shaft(ports: &[Port], count: usize) -> Vec<(usize, Vec<usize>)> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); 2 * count];
    for (index, port) in ports.iter().enumerate() {
        members[port.shaft].push(index);
    }
    let used = members.into_iter().enumerate().filter(|(_, members)| !members.is_empty());
    used.collect()
}

/// Widens the boxes whose edges would otherwise crowd together.
pub(crate) fn make_room(shapes: &mut [Shape], grid: &Grid, plan: &Plan) {
    let count = shapes.len();
    for (shaft, members) in by_shaft(&plan.edge_ports, count) {
        let ends: Vec<ports::End> =
            members.iter().map(|&index| plan.edge_ports[index].end).collect();
        let wanted = 2.0 * (ports::comfortable_reach(&ends) + CORNER);
        let node = shaft % count;
        let far = if shaft < count { grid.below[node] } else { None };
        for node in [Some(node), far].into_iter().flatten() {
            let width = &mut shapes[node].frame.width;
            *width = width.max(wanted.min(MAX_FAN));
        }
    }
}
