//! Searches that find nothing, or need to see every item: the flag that would end them early is
//! only ever read.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    assert_eq!(items.par_iter().find_any(|item| **item > 15), None);
    assert_eq!(items.par_iter().find_first(|item| **item > 15), None);
    assert_eq!(items.par_iter().find_map_any(|item| item.checked_sub(16)), None);
    assert_eq!(items.par_iter().position_any(|item| *item > 15), None);
    assert_eq!(items.par_iter().position_last(|item| *item > 15), None);
    assert!(!items.par_iter().any(|item| *item > 15));
    assert!(items.par_iter().all(|item| *item < 16));
}
