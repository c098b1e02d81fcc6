//! The closures of the one-to-one adaptors run in parallel, once per item. Each of them here
//! updates a counter of its own without protection.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut counters = [0_u64; 8];
    let counter = Shared::slice(&mut counters);
    let items: Vec<u32> = (0..8).collect();
    // SAFETY of every block below: the counters outlive the iterators, and each conflicts with
    // itself only, which is what is tested.
    let sum: u32 = items
        .par_iter()
        .map(|item| {
            // SAFETY: as above.
            unsafe { *counter.at(0) += 1 } //~ race 1
            item + 1
        })
        .filter(|_| {
            // SAFETY: as above.
            unsafe { *counter.at(1) += 1 } //~ race 2
            true
        })
        .inspect(|_| {
            // SAFETY: as above.
            unsafe { *counter.at(2) += 1 } //~ race 3
        })
        .filter_map(|item| {
            // SAFETY: as above.
            unsafe { *counter.at(3) += 1 } //~ race 4
            Some(item)
        })
        .update(|_| {
            // SAFETY: as above.
            unsafe { *counter.at(4) += 1 } //~ race 5
        })
        .map_with(0_u32, |_, item| {
            // SAFETY: as above.
            unsafe { *counter.at(5) += 1 } //~ race 6
            item
        })
        .map_init(
            || {
                // SAFETY: as above.
                unsafe { *counter.at(6) += 1 } //~ race 7
            },
            |(), item| {
                // SAFETY: as above.
                unsafe { *counter.at(7) += 1 } //~ race 8
                item
            },
        )
        .sum();
    assert_eq!(sum, 36);
    assert!(counters.iter().all(|&count| count > 0));
}
