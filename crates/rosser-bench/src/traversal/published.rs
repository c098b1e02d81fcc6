//! Table 3 of the paper, as published: F. Jin, L. Yu, T. Cogumbreiro, J. Shirako and V. Sarkar,
//! *Dynamic Determinacy Race Detection for Task-Parallel Programs with Promises*, ECOOP 2023.

use rosser_detect::papers::drdp::{JoinOrder, Search, Traversal};

/// One row per program and order of traversal.
const TABLE_3: &str = include_str!("../../data/drdp-traversal.csv");

/// A row, as text: the figures are only ever printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// The input of the program.
    pub input: &'static str,
    /// The fewest, the most and the average number of tasks visited.
    pub visited: [&'static str; 3],
}

/// The published row of a program and an order.
pub fn find(program: &str, traversal: Traversal) -> Option<Published> {
    let order = (search_name(traversal.search), joins_name(traversal.joins));
    TABLE_3.lines().skip(1).find_map(|line| {
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let &[name, search, input, joins, min, max, average] = cells.as_slice() else {
            return None;
        };
        (name == program && (search, joins) == order)
            .then_some(Published { input, visited: [min, max, average] })
    })
}

/// The name in the table.
pub fn search_name(search: Search) -> &'static str {
    match search {
        Search::Dfs => "dfs",
        Search::Bfs => "bfs",
    }
}

/// The name in the table.
pub fn joins_name(joins: JoinOrder) -> &'static str {
    match joins {
        JoinOrder::BackToFront => "back_to_front",
        JoinOrder::FrontToBack => "front_to_back",
    }
}

#[cfg(test)]
mod tests {
    use rosser_detect::papers::drdp::{JoinOrder, Search, Traversal};

    use super::find;

    #[test]
    fn rows_are_found() {
        let order = Traversal { search: Search::Dfs, joins: JoinOrder::FrontToBack };
        let row = find("sparselu", order).expect("in the table");
        assert_eq!((row.input, row.visited), ("32 8", ["1", "544", "65.72"]));
        assert_eq!(find("fib", order), None);
    }
}
