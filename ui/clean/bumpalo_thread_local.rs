//! An arena in a thread-local, emptied by every task that uses it. Tasks on one worker use it one
//! after the other, tasks on two workers use two.

use std::cell::RefCell;

use bumpalo::Bump;
use rayon::prelude::*;

thread_local! {
    static ARENA: RefCell<Bump> = RefCell::new(Bump::with_capacity(1 << 14));
}

fn sum(up_to: u32) -> u32 {
    ARENA.with_borrow_mut(|arena| {
        arena.reset();
        let numbers = arena.alloc_slice_fill_iter(0..up_to);
        numbers.reverse();
        numbers.iter().sum()
    })
}

fn main() {
    let sums: Vec<u32> = (0..500_u32).into_par_iter().map(sum).collect();
    assert_eq!(sums[4], 6);
}
