//! Which row a node of a computation graph stands in.
//!
//! The row is the length of the longest path that leads to the node, so that every edge points
//! downwards and a reader may take "further down" for "not earlier". A cycle cannot occur in a
//! real computation graph, but a wrong input must still give a picture: the edges that close
//! cycles are found first and left out of the path lengths.

/// The outcome of the row assignment.
pub(crate) struct Rows {
    /// The row of every node.
    pub row: Vec<usize>,
    /// For every edge, whether it points downwards. The others close cycles.
    pub forward: Vec<bool>,
}

/// Assigns rows to `count` nodes; every end of `edges` must be below `count`.
pub(crate) fn assign(count: usize, edges: &[(usize, usize)]) -> Rows {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut incoming = vec![0_usize; count];
    for (index, &(from, to)) in edges.iter().enumerate() {
        out[from].push(index);
        incoming[to] += 1;
    }
    let forward = break_cycles(count, edges, &out, &incoming);

    for (index, &(_, to)) in edges.iter().enumerate() {
        if !forward[index] {
            incoming[to] -= 1;
        }
    }
    let mut row = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&n| incoming[n] == 0).collect();
    while let Some(node) = ready.pop() {
        for &index in out[node].iter().filter(|&&index| forward[index]) {
            let to = edges[index].1;
            row[to] = row[to].max(row[node] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    Rows { row, forward }
}

/// Marks the edges that a depth-first search does not find closing a cycle. The stack is
/// explicit because a chain of thousands of steps is an ordinary input.
fn break_cycles(
    count: usize,
    edges: &[(usize, usize)],
    out: &[Vec<usize>],
    incoming: &[usize],
) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut forward = vec![true; edges.len()];
    let mut state = vec![State::New; count];
    let sources = (0..count).filter(|&n| incoming[n] == 0);
    for start in sources.chain(0..count) {
        if state[start] != State::New {
            continue;
        }
        state[start] = State::Open;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&index) = out[*node].get(*next) else {
                state[*node] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = edges[index].1;
            match state[to] {
                State::New => {
                    state[to] = State::Open;
                    stack.push((to, 0));
                }
                State::Open => forward[index] = false,
                State::Done => {}
            }
        }
    }
    forward
}

#[cfg(test)]
mod tests {
    use super::assign;
    use crate::draw::testing::Dice;

    #[test]
    fn the_longest_path_counts() {
        let rows = assign(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
        assert_eq!(rows.row, [0, 1, 2, 3]);
        assert!(rows.forward.iter().all(|&f| f));
    }

    #[test]
    fn cycles_are_cut_and_the_rest_points_down() {
        let mut dice = Dice::new(7);
        for _ in 0..200 {
            let count = 1 + dice.below(12);
            let edges: Vec<(usize, usize)> =
                (0..dice.below(30)).map(|_| (dice.below(count), dice.below(count))).collect();
            let rows = assign(count, &edges);
            for (&(from, to), &forward) in edges.iter().zip(&rows.forward) {
                assert!(!forward || rows.row[from] < rows.row[to]);
            }
        }
    }

    #[test]
    fn acyclic_graphs_keep_every_edge_and_deep_ones_do_not_overflow() {
        let edges: Vec<(usize, usize)> = (1..50_000).map(|n| (n - 1, n)).collect();
        let rows = assign(50_000, &edges);
        assert!(rows.forward.iter().all(|&f| f));
        assert_eq!(rows.row[49_999], 49_999);
    }
}
