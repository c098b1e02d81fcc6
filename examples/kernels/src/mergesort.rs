//! Merge sort: the halves in parallel, then merged.

use rayon::join;

use crate::random::Random;
use crate::size::Size;

/// What is no longer than this is sorted at once.
const CUT_OFF: usize = 512;

/// Sorts random numbers and checks their order and their sum.
pub fn run(size: Size) -> u64 {
    let n = size.pick(3_000, 2_000_000);
    let mut random = Random::new(3);
    let mut numbers: Vec<i32> = (0..n).map(|_| random.next() as i32).collect();
    let sum: i64 = numbers.iter().map(|&number| i64::from(number)).sum();
    let mut space = vec![0; n];
    sort(&mut numbers, &mut space);

    assert!(numbers.is_sorted());
    assert_eq!(numbers.iter().map(|&number| i64::from(number)).sum::<i64>(), sum);
    sum.unsigned_abs()
}

fn sort(numbers: &mut [i32], space: &mut [i32]) {
    if numbers.len() <= CUT_OFF {
        numbers.sort_unstable();
        return;
    }
    let middle = numbers.len() / 2;
    let (left, right) = numbers.split_at_mut(middle);
    let (left_space, right_space) = space.split_at_mut(middle);
    join(|| sort(left, left_space), || sort(right, right_space));
    merge(left, right, space);
    numbers.copy_from_slice(space);
}

fn merge(left: &[i32], right: &[i32], into: &mut [i32]) {
    let (mut i, mut j) = (0, 0);
    for place in into {
        if j == right.len() || (i < left.len() && left[i] <= right[j]) {
            *place = left[i];
            i += 1;
        } else {
            *place = right[j];
            j += 1;
        }
    }
}
