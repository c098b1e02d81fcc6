//! Prefix sums by doubling, each round from one buffer into another.

use rayon::prelude::*;

fn main() {
    let mut sums = vec![1_u32; 16];
    let mut next = sums.clone();
    let mut distance = 1;
    while distance < sums.len() {
        next.par_iter_mut().enumerate().for_each(|(index, sum)| {
            *sum = sums[index] + if index < distance { 0 } else { sums[index - distance] };
        });
        std::mem::swap(&mut sums, &mut next);
        distance *= 2;
    }
    assert!(sums.into_iter().eq(1..=16));
}
