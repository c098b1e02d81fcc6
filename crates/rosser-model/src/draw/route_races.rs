//! Which gutters and channels the race links of a computation graph run through.
//!
//! Edges leave their boxes above and below; race links leave at the sides, so that the two are
//! never mistaken for each other. A link keeps to the empty cells beside its two boxes, the
//! gutters and, if it must, one channel.

use crate::draw::grid::Grid;
use crate::draw::picture::RaceLink;
use crate::draw::ports::{End, Turn};
use crate::draw::route::{Anchor, Horizontal, Plan, Port, RaceRoute, RaceWay};
use crate::draw::tracks::Side;

impl Plan {
    pub(crate) fn race(&mut self, grid: &Grid, link: &RaceLink, label: f64) -> RaceRoute {
        // The link is routed from left to right; it has no direction of its own.
        let (a, b) = if grid.column[link.a] <= grid.column[link.b] {
            (link.a, link.b)
        } else {
            (link.b, link.a)
        };
        let (from, to) = (grid.column[a], grid.column[b]);
        if from == to {
            let right = self.load[from + 1] <= self.load[from];
            let gutter = if right { from + 1 } else { from };
            return self.race_beside(grid, (a, right), (b, right), gutter, label);
        }
        let a_last = grid.right[a].map_or(grid.columns, |right| grid.column[right]);
        let b_first = grid.left[b].map_or(0, |left| grid.column[left] + 1);
        let (first, last) = (b_first.max(from + 1), a_last.min(to));
        if first <= last {
            // The emptiest common gutter; of equals, one between lanes, which is the widest.
            let between_lanes = |gutter: usize| grid.lanes.iter().any(|lane| lane.first == gutter);
            let gutter =
                (first..=last).min_by_key(|&g| (self.load[g], !between_lanes(g))).unwrap_or(first);
            return self.race_beside(grid, (a, true), (b, false), gutter, label);
        }
        self.race_around(grid, (a, a_last), (b, b_first), label)
    }

    /// A link through a single gutter, from a side of `a` to a side of `b`.
    fn race_beside(
        &mut self,
        grid: &Grid,
        (a, a_right): (usize, bool),
        (b, b_right): (usize, bool),
        gutter: usize,
        label: f64,
    ) -> RaceRoute {
        let (row_a, row_b) = (grid.row[a], grid.row[b]);
        let side = |right: bool| if right { Side::Before } else { Side::After };
        let vertical = self.vertical(
            gutter,
            [(2 * row_a + 1, side(a_right)), (2 * row_b + 1, side(b_right))],
            label,
        );
        let ports = if grid.right[a] == Some(b) {
            let only = self.race_port(Port {
                shaft: a,
                end: End { turn: Turn::Straight, outgoing: true, bend: gutter as f64, far: 0.0 },
            });
            [only, only]
        } else {
            [
                self.side_port(grid, a, a_right, gutter, row_b as f64),
                self.side_port(grid, b, b_right, gutter, row_a as f64),
            ]
        };
        let way = RaceWay::Beside(vertical);
        RaceRoute { a, b, a_right, b_right, ports, way, labelled: vertical }
    }

    /// A link through two gutters and a channel, from the right of `a` to the left of `b`.
    fn race_around(
        &mut self,
        grid: &Grid,
        (a, a_gutter): (usize, usize),
        (b, b_gutter): (usize, usize),
        label: f64,
    ) -> RaceRoute {
        let (row_a, row_b) = (grid.row[a], grid.row[b]);
        let (upper, lower) = (row_a.min(row_b), row_a.max(row_b));
        // Some channel between the two rows, or the one below if it is the same row.
        let channel = (upper + 1).midpoint(lower.max(upper + 1));
        let far = |row: usize| {
            if row < channel { row as f64 + 1.0 } else { row as f64 - 1.0 }
        };
        let ports = [
            self.side_port(grid, a, true, a_gutter, far(row_a)),
            self.side_port(grid, b, false, b_gutter, far(row_b)),
        ];
        // The label goes on the longer of the two vertical pieces.
        let length = |row: usize| (2 * row + 1).abs_diff(2 * channel);
        let on_a = length(row_a) >= length(row_b);
        let (label_a, label_b) = if on_a { (label, 0.0) } else { (0.0, label) };
        let first = self.vertical(
            a_gutter,
            [(2 * row_a + 1, Side::Before), (2 * channel, Side::After)],
            label_a,
        );
        let second = self.vertical(
            b_gutter,
            [(2 * channel, Side::Before), (2 * row_b + 1, Side::After)],
            label_b,
        );
        let side = |row: usize| {
            if row < channel { Side::Before } else { Side::After }
        };
        self.horizontals.push(Horizontal {
            channel,
            ends: [(Anchor::Vertical(first), side(row_a)), (Anchor::Vertical(second), side(row_b))],
        });
        let way = RaceWay::Around(first, self.horizontals.len() - 1, second);
        let labelled = if on_a { first } else { second };
        RaceRoute { a, b, a_right: true, b_right: false, ports, way, labelled }
    }

    fn side_port(
        &mut self,
        grid: &Grid,
        node: usize,
        right: bool,
        gutter: usize,
        far: f64,
    ) -> usize {
        let shaft = if right { node } else { grid.left[node].unwrap_or(grid.row.len() + node) };
        let turn = if far < grid.row[node] as f64 { Turn::Before } else { Turn::After };
        self.race_port(Port { shaft, end: End { turn, outgoing: right, bend: gutter as f64, far } })
    }

    fn race_port(&mut self, port: Port) -> usize {
        self.race_ports.push(port);
        self.race_ports.len() - 1
    }
}
