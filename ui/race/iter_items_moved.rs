//! Items that a parallel iterator copies for its consumer are read where the iterator stands, whatever else
//! of its machinery moves around. What it returns goes through `black_box`: a call at the end of a function
//! would leave no trace of who made it.

use std::hint::black_box;

use rayon::prelude::*;
use shared::Shared;

#[inline(never)]
fn sum(items: &[u64]) -> u64 {
    black_box(items.par_iter().copied().sum()) //~ race 1
}

#[inline(never)]
fn greatest(items: &[u64]) -> Option<u64> {
    black_box(items.par_iter().copied().rev().with_max_len(3).max()) //~ race 2
}

#[inline(never)]
fn numbered(items: &[u64]) -> Vec<(usize, u64)> {
    black_box(items.par_iter().cloned().enumerate().collect()) //~ race 3
}

fn main() {
    let mut numbers: Vec<u64> = (0..64).collect();
    let first = Shared::slice(&mut numbers);
    let items = || {
        // SAFETY: the vector outlives the tasks; the conflicts are what is tested.
        unsafe { std::slice::from_raw_parts(first.at(0).cast_const(), 64) }
    };
    let write = |index| {
        rayon::join(
            || match index {
                9 => assert_eq!(sum(items()), 2016),
                33 => assert_eq!(greatest(items()), Some(63)),
                _ => assert_eq!(numbered(items()).len(), 64),
            },
            || {
                // SAFETY: see above.
                unsafe { *first.at(index) = index as u64 } //~ race 1, race 2, race 3
            },
        );
    };
    [9, 33, 63].into_iter().for_each(write);
}
