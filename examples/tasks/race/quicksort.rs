//! Quicksort in place: a future for the part left of the pivot, the other part meanwhile, and then
//! the future is got. So whoever gets the future of the whole can rely on all of it.
//!
//! The bug: where there is nothing to sort on the right, the function returns at once, and forgets
//! the future of the left part. In the end the finish waits for it; who got the future of the whole
//! has not.

use std::ptr;

use rosser::{Finish, finish};
use shared::Shared;

const LEN: usize = 128;

fn swap(values: Shared<u64>, i: usize, j: usize) {
    // SAFETY: both are in the part that this task sorts. That they are read elsewhere is the bug.
    unsafe { ptr::swap(values.at(i), values.at(j)) } //~ race 1
}

/// Puts what is less than the last value of a part to the left, and says where the last one goes.
fn partition(values: Shared<u64>, from: usize, to: usize) -> usize {
    let mut pivot = from;
    for i in from..to - 1 {
        // SAFETY: both are in the part that this task sorts.
        if unsafe { *values.at(i) < *values.at(to - 1) } {
            swap(values, i, pivot);
            pivot += 1;
        }
    }
    swap(values, pivot, to - 1);
    pivot
}

fn sort(s: &Finish<'_>, values: Shared<u64>, from: usize, to: usize) {
    if to - from < 2 {
        return;
    }
    let pivot = partition(values, from, to);
    let left = s.spawn_future(move |s| sort(s, values, from, pivot));
    if to - pivot <= 2 {
        return;
    }
    sort(s, values, pivot + 1, to);
    left.get();
}

fn out_of_order(values: Shared<u64>) -> usize {
    let mut count = 0;
    for i in 1..LEN {
        // SAFETY: the index is in bounds. That some tasks may still write is the bug.
        let greater = unsafe { *values.at(i - 1) > *values.at(i) }; //~ race 1
        count += usize::from(greater);
    }
    count
}

fn main() {
    let mut numbers: Vec<u64> = (0..LEN as u64).map(|i| i * 77 % LEN as u64).collect();
    let values = Shared::slice(&mut numbers);
    let wrong = finish(|s| {
        let sorted = s.spawn_future(|s| sort(s, values, 0, LEN));
        sorted.get();
        out_of_order(values)
    });
    println!("{wrong} numbers are out of order when they should be sorted");
    assert!(numbers.into_iter().eq(0..LEN as u64));
}
