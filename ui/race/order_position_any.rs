//! `position_any` and `find_map_any` give one of several answers.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let matches = |item: &u32| *item % 5 == 3;
    let position = items.par_iter().position_any(matches); //~ order 1
    assert!(position.is_some_and(|place| [3, 8, 13].contains(&place)));
    let odd = |item: &u32| (*item % 2 == 1).then_some(*item);
    let found = items.par_iter().find_map_any(odd); //~ order 2
    assert!(found.is_some_and(|item| item % 2 == 1));
}
