//! Quicksort: both sides of the pivot in parallel.

use rayon::join;

use crate::random::Random;
use crate::size::Size;

/// What is no longer than this is sorted at once.
const CUT_OFF: usize = 512;

/// Sorts random numbers and checks their order and their sum.
pub fn run(size: Size) -> u64 {
    let n = size.pick(3_000, 3_000_000);
    let mut random = Random::new(4);
    let mut numbers: Vec<i32> = (0..n).map(|_| random.next() as i32).collect();
    let sum: i64 = numbers.iter().map(|&number| i64::from(number)).sum();
    sort(&mut numbers);

    assert!(numbers.is_sorted());
    assert_eq!(numbers.iter().map(|&number| i64::from(number)).sum::<i64>(), sum);
    sum.unsigned_abs()
}

fn sort(numbers: &mut [i32]) {
    if numbers.len() <= CUT_OFF {
        numbers.sort_unstable();
        return;
    }
    let pivot = partition(numbers);
    let (low, high) = numbers.split_at_mut(pivot);
    join(|| sort(low), || sort(&mut high[1..]));
}

/// Puts the median of three where it belongs, what is less before it, and returns its index.
fn partition(numbers: &mut [i32]) -> usize {
    let last = numbers.len() - 1;
    let mut candidates = [0, last / 2, last];
    candidates.sort_unstable_by_key(|&index| numbers[index]);
    numbers.swap(candidates[1], last);
    let pivot = numbers[last];
    let mut end = 0;
    for i in 0..last {
        if numbers[i] < pivot {
            numbers.swap(i, end);
            end += 1;
        }
    }
    numbers.swap(end, last);
    end
}
