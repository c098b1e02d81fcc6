//! `find_first` always returns the same item. Inside, its tasks share the best place found so
//! far, with atomics whose values do depend on the schedule: order-dependent at its call.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let matches = |item: &&u32| **item % 5 == 3;
    let found = items.par_iter().find_first(matches); //~ order 1
    assert_eq!(found, Some(&3));
}
