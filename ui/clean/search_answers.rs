//! Searches that end early with the same answer in every schedule. Their tasks tell each other
//! through flags that something was found; how much is searched in vain is no result.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let matches = |item: &u32| *item % 5 == 3;
    assert_eq!(items.par_iter().find_first(|item| matches(item)), Some(&3));
    assert_eq!(items.par_iter().find_last(|item| matches(item)), Some(&13));
    assert_eq!(items.par_iter().find_map_first(|item| item.checked_sub(4)), Some(0));
    assert_eq!(items.par_iter().find_map_last(|item| 4_u32.checked_sub(*item)), Some(0));
    assert_eq!(items.par_iter().position_first(matches), Some(3));
    assert_eq!(items.par_iter().position_last(matches), Some(13));
    assert!(items.par_iter().any(matches));
    assert!(!items.par_iter().all(matches));
    let mut others = items.clone();
    (others[5], others[9]) = (0, 20);
    assert!(items.par_iter().ne(others.par_iter()));
    assert!(items.par_iter().gt(others.par_iter()));
    assert_eq!(items.par_iter().cmp(others.par_iter()), std::cmp::Ordering::Greater);
    let known: Option<Vec<u32>> = items.par_iter().map(|item| item.checked_sub(4)).collect();
    assert_eq!(known, None);
}
