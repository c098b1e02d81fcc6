//! A block freed by one task is handed out again to its sibling: the same address, and another
//! block.

use rayon::prelude::*;

fn work(seed: u64) -> u64 {
    let mut block = Box::new([seed; 16]);
    block[3] += 1;
    block.iter().sum()
}

fn main() {
    let (left, right) = rayon::join(|| work(1), || work(2));
    assert_eq!((left, right), (17, 33));
    let sums: Vec<u64> = (0..16_u64).into_par_iter().map(work).collect();
    assert_eq!(sums[15], 241);
    // Blocks that are freed by another task than the one that made them, and made anew.
    let boxes: Vec<Box<u64>> = (0..16).into_par_iter().map(Box::new).collect();
    let sum: u64 = boxes.into_par_iter().map(|value| *value + work(*value)).sum();
    assert_eq!(sum, 2056);
}
