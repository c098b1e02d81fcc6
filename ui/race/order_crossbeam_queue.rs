//! Lock-free queues are atomic, not deterministic: parallel pushes are order-dependent, in the
//! bounded queue and in the unbounded one.

use crossbeam::queue::{ArrayQueue, SegQueue};
use rayon::prelude::*;

fn main() {
    let unbounded = SegQueue::new();
    (0..8_u32).into_par_iter().for_each(|item| {
        unbounded.push(item); //~ order 1
        // Otherwise the push would be a tail call, which leaves no trace of this closure.
        std::hint::black_box(item);
    });
    assert_eq!(unbounded.into_iter().sum::<u32>(), 28);

    let bounded = ArrayQueue::new(8);
    (0..8_u32).into_par_iter().for_each(|item| {
        bounded.push(item).expect("there is room"); //~ order 2
    });
    assert_eq!(bounded.into_iter().sum::<u32>(), 28);
}
