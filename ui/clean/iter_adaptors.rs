//! The one-to-one adaptors with closures that keep to their item.

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let sum: u32 = items
        .par_iter()
        .map(|item| item + 1)
        .filter(|item| item % 2 == 0)
        .filter_map(|item| item.checked_sub(1))
        .inspect(|item| assert!(*item < 16))
        .update(|item| *item += 1)
        .map_with(10, |ten, item| item + *ten)
        .map_init(|| vec![1_u32], |one, item| item + one[0])
        .panic_fuse()
        .sum();
    assert_eq!(sum, 160);
    let nothing: Vec<u32> = rayon::iter::empty().collect();
    assert!(nothing.is_empty());
}
