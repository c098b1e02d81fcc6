//! Which cell of the row-and-column grid a node of a computation graph stands in.
//!
//! A lane is one column of steps, with more columns beside it when it has promises (or when two
//! of its nodes share a row, which a sequential task never does). Since every cell holds at most
//! one node, boxes cannot overlap whatever their sizes, and the gutters between the columns and
//! the channels between the rows stay free for edges.

use std::collections::HashMap;

use crate::draw::picture::{Edge, NodeKind, Picture};
use crate::draw::rows::Rows;

/// The columns of one lane.
pub(crate) struct Lane {
    pub name: String,
    /// The first column.
    pub first: usize,
    /// The last column; a lane has at least one.
    pub last: usize,
    /// The column of the steps, which takes up the slack when the heading is wide.
    pub spine: usize,
}

/// The cells of all nodes, with their nearest neighbours in the four directions.
pub(crate) struct Grid {
    pub row: Vec<usize>,
    pub column: Vec<usize>,
    pub rows: usize,
    pub columns: usize,
    pub lanes: Vec<Lane>,
    pub above: Vec<Option<usize>>,
    pub below: Vec<Option<usize>>,
    pub left: Vec<Option<usize>>,
    pub right: Vec<Option<usize>>,
}

/// The part of a lane a node belongs to. The order is that of the columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    LeftPromises,
    Steps,
    RightPromises,
}

impl Grid {
    /// Places the nodes of a picture, given their rows and the edges with existing ends.
    pub(crate) fn new(picture: &Picture, rows: Rows, edges: &[Edge]) -> Self {
        let known = picture.lanes.len();
        let lane_of: Vec<usize> = picture.nodes.iter().map(|n| n.lane.min(known)).collect();
        let mut names: Vec<String> = picture.lanes.clone();
        if lane_of.contains(&known) {
            names.push(String::new());
        }

        let parts = parts(picture, &lane_of, edges);
        let mut filled: HashMap<(usize, usize, Part), usize> = HashMap::new();
        let mut widths = vec![[0_usize; 3]; names.len()];
        let mut slots = Vec::with_capacity(lane_of.len());
        for (index, (&lane, &part)) in lane_of.iter().zip(&parts).enumerate() {
            let used = filled.entry((lane, rows.row[index], part)).or_default();
            slots.push(*used);
            *used += 1;
            let width = &mut widths[lane][part as usize];
            *width = (*width).max(*used);
        }

        let mut lanes = Vec::with_capacity(names.len());
        let mut columns = 0;
        for (name, width) in names.into_iter().zip(&mut widths) {
            // A lane without steps keeps an empty column for its heading.
            width[1] = width[1].max(1);
            let first = columns;
            columns += width.iter().sum::<usize>();
            lanes.push(Lane { name, first, last: columns - 1, spine: first + width[0] });
        }
        let column: Vec<usize> = (0..lane_of.len())
            .map(|index| {
                let lane = &lanes[lane_of[index]];
                let width = &widths[lane_of[index]];
                match parts[index] {
                    // The first promise of a row stands next to the steps.
                    Part::LeftPromises => lane.spine - 1 - slots[index],
                    Part::Steps => lane.spine + slots[index],
                    Part::RightPromises => lane.spine + width[1] + slots[index],
                }
            })
            .collect();

        let (above, below) = neighbours(&column, &rows.row);
        let (left, right) = neighbours(&rows.row, &column);
        let count = rows.row.iter().max().map_or(0, |&last| last + 1);
        Self { row: rows.row, column, rows: count, columns, lanes, above, below, left, right }
    }
}

/// Promises stand on the side of their lane that faces the tasks that wait for them.
fn parts(picture: &Picture, lane_of: &[usize], edges: &[Edge]) -> Vec<Part> {
    let count = picture.nodes.len();
    let (mut leftward, mut rightward) = (vec![0_usize; count], vec![0_usize; count]);
    for edge in edges {
        match lane_of[edge.to].cmp(&lane_of[edge.from]) {
            std::cmp::Ordering::Less => leftward[edge.from] += 1,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => rightward[edge.from] += 1,
        }
    }
    picture
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| match node.kind {
            NodeKind::Step | NodeKind::Join => Part::Steps,
            _ if leftward[index] > rightward[index] => Part::LeftPromises,
            _ => Part::RightPromises,
        })
        .collect()
}

/// For every node, the nearest nodes before and after it on its line, where `line` tells the
/// lines apart and `place` gives the position on the line.
fn neighbours(line: &[usize], place: &[usize]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let mut order: Vec<usize> = (0..line.len()).collect();
    order.sort_by_key(|&node| (line[node], place[node]));
    let (mut before, mut after) = (vec![None; line.len()], vec![None; line.len()]);
    for pair in order.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if line[a] == line[b] {
            after[a] = Some(b);
            before[b] = Some(a);
        }
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::Grid;
    use crate::draw::testing::random_picture;
    use crate::draw::{Edge, EdgeKind, Node, Picture, rows};

    fn grid(picture: &Picture) -> Grid {
        let edges = picture.sound_edges();
        let pairs: Vec<(usize, usize)> = edges.iter().map(|e| (e.from, e.to)).collect();
        Grid::new(picture, rows::assign(picture.nodes.len(), &pairs), &edges)
    }

    #[test]
    fn no_cell_holds_two_nodes_and_lanes_do_not_mix() {
        for seed in 0..200 {
            let picture = random_picture(seed);
            let grid = grid(&picture);
            let mut cells: Vec<(usize, usize)> =
                grid.row.iter().copied().zip(grid.column.iter().copied()).collect();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), picture.nodes.len());
            for (node, &column) in picture.nodes.iter().zip(&grid.column) {
                let lane = &grid.lanes[node.lane];
                assert!((lane.first..=lane.last).contains(&column));
            }
        }
    }

    #[test]
    fn a_promise_faces_its_reader() {
        let picture = Picture {
            lanes: vec!["main".into(), "f".into()],
            nodes: vec![
                Node::step(0, "S1", ["y.get"]),
                Node::step(1, "S2", ["y.set"]),
                Node::promise(1, "y"),
            ],
            edges: vec![
                Edge { from: 1, to: 2, kind: EdgeKind::Set },
                Edge { from: 2, to: 0, kind: EdgeKind::Join },
            ],
            ..Picture::default()
        };
        let grid = grid(&picture);
        assert_eq!(grid.column, [0, 2, 1]);
    }

    #[test]
    fn unknown_lanes_share_an_extra_one() {
        let nodes = vec![Node::step(usize::MAX, "S1", ["a"]), Node::step(7, "S2", ["b"])];
        let grid = grid(&Picture { nodes, ..Picture::default() });
        assert_eq!(grid.lanes.len(), 1);
        assert_eq!(grid.columns, 2);
    }
}
