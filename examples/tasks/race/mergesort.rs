//! Merge sort with spawn and sync: one half is left to a child, the other sorted meanwhile, and
//! both are merged when the child has ended.
//!
//! The bug: there is no sync before the merge. That a procedure waits for its children when it
//! returns is too late.

use rosser::{Procedure, procedure};
use shared::Shared;

const LEN: usize = 64;

fn sort(p: &Procedure<'_>, values: Shared<u64>, from: usize, to: usize) {
    if to - from < 2 {
        return;
    }
    let middle = usize::midpoint(from, to);
    p.spawn(move |p| sort(p, values, from, middle));
    procedure(|p| sort(p, values, middle, to));
    merge(values, from, middle, to);
}

/// Merges two sorted parts that lie side by side.
fn merge(values: Shared<u64>, from: usize, middle: usize, to: usize) {
    let mut sorted = Vec::with_capacity(to - from);
    for i in from..to {
        // SAFETY: the index is in bounds. That the child may not have ended is the bug.
        sorted.push(unsafe { *values.at(i) }); //~ race 1
    }
    let right = sorted.split_off(middle - from);
    let (mut left, mut right) = (sorted.into_iter().peekable(), right.into_iter().peekable());
    for i in from..to {
        let least = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a <= b => left.next(),
            (_, Some(_)) => right.next(),
            _ => left.next(),
        };
        let least = least.expect("as many come out as have gone in");
        // SAFETY: as above.
        unsafe { *values.at(i) = least } //~ race 1, race 2
    }
}

fn main() {
    let mut numbers: Vec<u64> = (0..LEN as u64).map(|i| i * 37 % LEN as u64).collect();
    let values = Shared::slice(&mut numbers);
    procedure(|p| sort(p, values, 0, LEN));
    let wrong = numbers.windows(2).filter(|pair| pair[0] > pair[1]).count();
    println!("{wrong} numbers are out of order");
}
