//! Which gutters and channels the lines of a computation graph run through.
//!
//! Lines run only where no box can be: in the *channels* between rows, in the *gutters* between
//! columns, and in the empty cells directly below, above or beside a box (its *shaft*). This
//! module decides the way of every line in terms of these; exact coordinates come later, when
//! the number of lines in each channel and gutter, and so its size, is known.
//!
//! Channel `r` lies above row `r`, the last one below all rows. Gutter `c` lies left of column
//! `c`, the last one right of all columns. Positions along a gutter are counted in half rows:
//! `2r` is channel `r` and `2r + 1` is row `r`.

use crate::draw::grid::Grid;
use crate::draw::picture::{Edge, RaceLink};
use crate::draw::ports::{End, Turn};
use crate::draw::tracks::Side;

/// An end of a line at a box, in a shaft.
pub(crate) struct Port {
    /// Index of the shaft. Shaft `n` begins at node `n`, shaft `count + n` is open and ends at
    /// node `n`.
    pub shaft: usize,
    pub end: End,
}

/// Where a horizontal piece ends.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    /// At a port of an edge, by index into [`Plan::edge_ports`].
    Port(usize),
    /// At a vertical piece, by index into [`Plan::verticals`].
    Vertical(usize),
}

/// A piece of a line in a channel.
pub(crate) struct Horizontal {
    pub channel: usize,
    pub ends: [(Anchor, Side); 2],
}

/// A piece of a line in a gutter.
pub(crate) struct Vertical {
    pub gutter: usize,
    /// The two ends in half rows, with the side to which the line leaves the gutter there.
    pub ends: [(usize, Side); 2],
    /// The width of the label on the piece, or zero.
    pub label: f64,
}

/// The way of an edge from its exit port to its entry port.
pub(crate) enum EdgeWay {
    /// Straight down.
    Straight,
    /// Through one channel.
    Across(usize),
    /// Through a channel, a gutter, and another channel.
    Around(usize, usize, usize),
}

/// The way of a race link from the side of one box to the side of another.
pub(crate) enum RaceWay {
    /// Through one gutter.
    Beside(usize),
    /// Through a gutter, a channel, and another gutter.
    Around(usize, usize, usize),
}

/// A routed edge; its ports are exit and entry.
pub(crate) struct EdgeRoute {
    pub exit: usize,
    pub entry: usize,
    pub way: EdgeWay,
}

/// A routed race link; its ports are on the sides of `a` and `b`.
pub(crate) struct RaceRoute {
    pub a: usize,
    pub b: usize,
    /// Whether the link leaves `a`, and arrives at `b`, on the right-hand side.
    pub a_right: bool,
    pub b_right: bool,
    pub ports: [usize; 2],
    pub way: RaceWay,
    /// The vertical piece that carries the label.
    pub labelled: usize,
}

/// The ways of all lines.
#[derive(Default)]
pub(crate) struct Plan {
    pub edge_ports: Vec<Port>,
    pub race_ports: Vec<Port>,
    pub horizontals: Vec<Horizontal>,
    pub verticals: Vec<Vertical>,
    pub edges: Vec<EdgeRoute>,
    pub races: Vec<RaceRoute>,
    /// How many lines use each gutter.
    pub load: Vec<usize>,
}

impl Plan {
    /// Plans all edges and then all race links; `label_widths` belongs to `races`.
    pub(crate) fn new(grid: &Grid, edges: &[Edge], races: &[RaceLink], labels: &[f64]) -> Self {
        let mut plan = Self { load: vec![0; grid.columns + 1], ..Self::default() };
        let mut straight_used = vec![false; grid.row.len()];
        for edge in edges {
            let route = plan.edge(grid, edge.from, edge.to, &mut straight_used);
            plan.edges.push(route);
        }
        for (link, &label) in races.iter().zip(labels) {
            let route = plan.race(grid, link, label);
            plan.races.push(route);
        }
        plan
    }

    fn edge(&mut self, grid: &Grid, u: usize, v: usize, straight_used: &mut [bool]) -> EdgeRoute {
        let count = grid.row.len();
        let exit_shaft = u;
        let entry_shaft = grid.above[v].unwrap_or(count + v);
        let (from, to) = (grid.column[u], grid.column[v]);
        if grid.below[u] == Some(v) && !straight_used[u] {
            straight_used[u] = true;
            // Both ends lie on the centre line, so a single port stands for both.
            let only = self.edge_port(edge_end(exit_shaft, true, Turn::Straight, 0, 0.0));
            return EdgeRoute { exit: only, entry: only, way: EdgeWay::Straight };
        }

        // The channels that the two shafts touch.
        let exit_first = grid.row[u] + 1;
        let exit_last = grid.below[u].map_or(grid.rows, |below| grid.row[below]);
        let entry_first = grid.above[v].map_or(0, |above| grid.row[above] + 1);
        let entry_last = grid.row[v];
        let common_first = exit_first.max(entry_first);
        let common_last = exit_last.min(entry_last);
        if common_first <= common_last {
            let bend = common_last;
            let turn = |here: usize, there: usize| {
                if there < here { Turn::Before } else { Turn::After }
            };
            let exit = self.edge_port(edge_end(exit_shaft, true, turn(from, to), bend, to as f64));
            let entry =
                self.edge_port(edge_end(entry_shaft, false, turn(to, from), bend, from as f64));
            self.horizontals.push(Horizontal {
                channel: bend,
                ends: [(Anchor::Port(exit), Side::Before), (Anchor::Port(entry), Side::After)],
            });
            return EdgeRoute { exit, entry, way: EdgeWay::Across(self.horizontals.len() - 1) };
        }

        // An edge that closes a cycle takes the same kind of way, only upwards.
        let forward = grid.row[u] < grid.row[v];
        let (leave, arrive) = if forward {
            (exit_last.min(entry_last), exit_first.max(entry_first))
        } else {
            (exit_first, entry_last)
        };
        self.edge_around((exit_shaft, from, leave), (entry_shaft, to, arrive), forward)
    }

    /// An edge through a gutter; both ends are given by shaft, column and channel.
    fn edge_around(
        &mut self,
        (exit_shaft, from, leave): (usize, usize, usize),
        (entry_shaft, to, arrive): (usize, usize, usize),
        forward: bool,
    ) -> EdgeRoute {
        let gutter = self.best_gutter(from, to);
        let turn = |here: usize| {
            if gutter <= here { Turn::Before } else { Turn::After }
        };
        let side = |here: usize| {
            if gutter <= here { Side::After } else { Side::Before }
        };
        let far = gutter as f64 - 0.5;
        let exit = self.edge_port(edge_end(exit_shaft, true, turn(from), leave, far));
        let entry = self.edge_port(edge_end(entry_shaft, false, turn(to), arrive, far));
        let vertical =
            self.vertical(gutter, [(2 * leave, side(from)), (2 * arrive, side(to))], 0.0);
        let (down, up) =
            if forward { (Side::After, Side::Before) } else { (Side::Before, Side::After) };
        self.horizontals.push(Horizontal {
            channel: leave,
            ends: [(Anchor::Port(exit), Side::Before), (Anchor::Vertical(vertical), down)],
        });
        self.horizontals.push(Horizontal {
            channel: arrive,
            ends: [(Anchor::Vertical(vertical), up), (Anchor::Port(entry), Side::After)],
        });
        let last = self.horizontals.len() - 1;
        EdgeRoute { exit, entry, way: EdgeWay::Around(last - 1, vertical, last) }
    }

    /// The gutter with the shortest way between two columns, avoiding crowded ones.
    fn best_gutter(&self, from: usize, to: usize) -> usize {
        let cost = |gutter: usize| {
            let distance = |column: usize| (2 * column + 1).abs_diff(2 * gutter);
            2 * (distance(from) + distance(to)) + self.load[gutter]
        };
        (0..self.load.len()).min_by_key(|&gutter| cost(gutter)).unwrap_or(0)
    }

    pub(crate) fn vertical(
        &mut self,
        gutter: usize,
        ends: [(usize, Side); 2],
        label: f64,
    ) -> usize {
        self.load[gutter] += 1;
        self.verticals.push(Vertical { gutter, ends, label });
        self.verticals.len() - 1
    }

    fn edge_port(&mut self, port: Port) -> usize {
        self.edge_ports.push(port);
        self.edge_ports.len() - 1
    }
}

fn edge_end(shaft: usize, outgoing: bool, turn: Turn, bend: usize, far: f64) -> Port {
    let end = End { turn, outgoing, bend: bend as f64, far };
    Port { shaft, end }
}
