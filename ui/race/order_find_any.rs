//! `find_any` tells all tasks through a flag that something was found, and which of several
//! matches it returns depends on the schedule.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let matches = |item: &&u32| **item % 5 == 3;
    let found = items.par_iter().find_any(matches); //~ order 1
    assert!(found.is_some_and(|item| [3, 8, 13].contains(item)));
}
