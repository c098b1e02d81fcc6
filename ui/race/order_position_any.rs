//! `position_any` and `find_map_any` give one of several answers, though an `any` around them does
//! not.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let matches = |item: &u32| *item % 5 == 3;
    let position = items.par_iter().position_any(matches); //~ order 1
    assert!(position.is_some_and(|place| [3, 8, 13].contains(&place)));
    let rows = [&items[..4], &items[4..8]];
    let found = |row: &&[u32]| {
        let third = row.par_iter().find_map_any(|item| (*item % 2 == 1).then_some(*item)); //~ order 2
        third.is_some()
    };
    assert!(rows.par_iter().any(found));
}
