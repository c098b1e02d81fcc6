//! A scratch buffer in a thread-local is used by every task that runs on the worker, one after
//! the other, and never by two at once.

use std::cell::{Cell, RefCell};

use rayon::prelude::*;

thread_local! {
    static SCRATCH: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

fn sum_of_squares(up_to: u32) -> u32 {
    CALLS.set(CALLS.get() + 1);
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.clear();
        scratch.extend((0..up_to).map(|item| item * item));
        scratch.iter().sum()
    })
}

fn main() {
    let sums: Vec<u32> = (0..32_u32).into_par_iter().map(sum_of_squares).collect();
    assert_eq!(sums[8], 140);
}
