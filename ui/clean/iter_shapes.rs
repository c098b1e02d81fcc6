//! Adaptors that change which items there are and in what order.

use rayon::prelude::*;

fn main() {
    let items: Vec<usize> = (0..8).collect();
    let numbers = || items.par_iter().copied();
    assert_eq!(numbers().rev().collect::<Vec<_>>(), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(numbers().step_by(3).collect::<Vec<_>>(), [0, 3, 6]);
    assert_eq!(numbers().skip(2).take(3).collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(numbers().take(1).chain(numbers().skip(7)).collect::<Vec<_>>(), [0, 7]);
    assert_eq!(numbers().take(2).interleave(numbers().skip(6)).collect::<Vec<_>>(), [0, 6, 1, 7]);
    assert_eq!(numbers().take(3).intersperse(9).collect::<Vec<_>>(), [0, 9, 1, 9, 2]);
    assert_eq!(numbers().enumerate().filter(|(index, item)| index == item).count(), 8);
    assert_eq!(numbers().chunks(3).map(|chunk| chunk.len()).collect::<Vec<_>>(), [3, 3, 2]);
    assert_eq!(numbers().fold_chunks(3, || 0, |a, b| a + b).collect::<Vec<_>>(), [3, 12, 13]);
    assert_eq!(numbers().with_min_len(3).with_max_len(4).sum::<usize>(), 28);
    assert_eq!(numbers().by_uniform_blocks(3).sum::<usize>(), 28);
    assert_eq!(numbers().by_exponential_blocks().sum::<usize>(), 28);
    assert_eq!(items.par_iter().cloned().max(), Some(7));
    assert_eq!(rayon::iter::repeat_n(2, 8).sum::<usize>(), 16);
}
