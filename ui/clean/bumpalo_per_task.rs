//! An arena for each task, and one for each part of a parallel loop that is emptied for every item.

use bumpalo::Bump;
use rayon::prelude::*;

fn sum(arena: &Bump, up_to: u32) -> u32 {
    let numbers = arena.alloc_slice_fill_iter(0..up_to);
    numbers.reverse();
    let sum: &mut u32 = arena.alloc(0);
    numbers.iter().for_each(|number| *sum += number);
    *sum
}

fn main() {
    let (left, right) = rayon::join(|| sum(&Bump::new(), 100), || sum(&Bump::new(), 100));
    assert_eq!((left, right), (4950, 4950));
    let sums: Vec<u32> = (1..64_u32)
        .into_par_iter()
        .map_init(Bump::new, |arena, number| {
            arena.reset();
            sum(arena, number)
        })
        .collect();
    assert_eq!(sums[3], 6);
}
