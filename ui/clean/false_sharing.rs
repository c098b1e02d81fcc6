//! Counters side by side in one cache line, one per task: slow on real cores, and not a conflict.

use rayon::prelude::*;

#[repr(align(64))]
#[derive(Default)]
struct Line {
    counters: [u64; 8],
}

fn main() {
    let mut line = Line::default();
    line.counters.par_iter_mut().enumerate().for_each(|(index, counter)| {
        for _ in 0..100 {
            *counter += index as u64;
        }
    });
    assert_eq!(line.counters.iter().sum::<u64>(), 2800);
}
