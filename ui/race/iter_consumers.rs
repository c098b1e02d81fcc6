//! The closures handed to consumers (`fold`, `reduce`, `try_fold`, `try_for_each`, `min_by_key`,
//! `find_any`, `any`, `all`, `partition`) run in parallel as well.

use rayon::prelude::*;
use shared::Shared;

fn main() {
    let mut counters = [0_u64; 9];
    let counter = Shared::slice(&mut counters);
    let items: Vec<u32> = (0..8).collect();
    let step = |index: usize| counter.at(index);
    let sum: u32 = items
        .par_iter()
        .fold(
            || 0,
            |sum, item| {
                // SAFETY of this block and of those below: the counters outlive the iterators,
                // and each conflicts with itself only, which is what is tested.
                unsafe { *step(0) += 1 } //~ race 1
                sum + item
            },
        )
        .reduce(
            || 0,
            |left, right| {
                // SAFETY: as above. Two inner nodes of the tree of reductions are parallel.
                unsafe { *step(1) += 1 } //~ race 2
                left + right
            },
        );
    assert_eq!(sum, 28);
    let sum: Option<u32> = items
        .par_iter()
        .try_fold(
            || 0,
            |sum: u32, item| {
                // SAFETY: as above.
                unsafe { *step(2) += 1 } //~ race 3
                sum.checked_add(*item)
            },
        )
        .try_reduce(|| 0, u32::checked_add);
    assert_eq!(sum, Some(28));
    let result: Result<(), ()> = items.par_iter().try_for_each(|_| {
        // SAFETY: as above.
        unsafe { *step(3) += 1 } //~ race 4
        Ok(())
    });
    assert_eq!(result, Ok(()));
    let least = items.par_iter().min_by_key(|item| {
        // SAFETY: as above.
        unsafe { *step(4) += 1 } //~ race 5
        **item
    });
    assert_eq!(least, Some(&0));
    let found = items.par_iter().find_any(|_| {
        // SAFETY: as above. Nothing is found, so the search itself is deterministic.
        unsafe { *step(5) += 1 } //~ race 6
        false
    });
    assert_eq!(found, None);
    let any = items.par_iter().any(|_| {
        // SAFETY: as above.
        unsafe { *step(6) += 1 } //~ race 7
        false
    });
    let all = items.par_iter().all(|_| {
        // SAFETY: as above.
        unsafe { *step(7) += 1 } //~ race 8
        true
    });
    assert!(!any && all);
    let (even, odd): (Vec<u32>, Vec<u32>) = items.par_iter().partition(|item| {
        // SAFETY: as above.
        unsafe { *step(8) += 1 } //~ race 9
        *item % 2 == 0
    });
    assert_eq!((even.len(), odd.len()), (4, 4));
}
