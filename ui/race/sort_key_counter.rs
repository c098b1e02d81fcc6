//! The closures handed to the parallel sorts are called from parallel tasks: a counter of
//! comparisons without protection is a race, once for each sort.

use rayon::prelude::*;
use shared::Shared;

fn shuffled() -> Vec<u32> {
    (0..5000).map(|index| index * 2_654 % 5003).collect()
}

fn main() {
    let mut counters = [0_u64; 3];
    let counter = Shared::slice(&mut counters);
    let mut expected = shuffled();
    expected.sort_unstable();

    let mut values = shuffled();
    values.par_sort_by_key(|value| {
        // SAFETY: the counters outlive the sorts; the conflict is what is tested.
        unsafe { *counter.at(0) += 1 } //~ race 1
        *value
    });
    assert_eq!(values, expected);

    let mut values = shuffled();
    values.par_sort_unstable_by(|a, b| {
        // SAFETY: as above.
        unsafe { *counter.at(1) += 1 } //~ race 2
        a.cmp(b)
    });
    assert_eq!(values, expected);

    let mut values = shuffled();
    values.par_sort_by_cached_key(|value| {
        // SAFETY: as above.
        unsafe { *counter.at(2) += 1 } //~ race 3
        *value
    });
    assert_eq!(values, expected);
}
