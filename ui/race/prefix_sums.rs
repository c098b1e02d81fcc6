//! Prefix sums by doubling, in place: a round reads elements that the same round writes.

use rayon::prelude::*;
use shared::Shared;

const N: usize = 16;

fn main() {
    let mut sums = vec![1_u32; N];
    let sum = Shared::slice(&mut sums);
    let mut distance = 1;
    while distance < N {
        (distance..N).into_par_iter().for_each(|index| {
            // SAFETY: both indices are in bounds; the conflict is what is tested.
            unsafe { *sum.at(index) += *sum.at(index - distance) } //~ race 1
        });
        distance *= 2;
    }
    assert_eq!(sums[0], 1);
}
