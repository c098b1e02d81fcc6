//! Prefix sums in two passes: the sums of chunks in parallel, then the chunks again, each from what
//! was before it.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::random::Random;
use crate::size::Size;

const CHUNK: usize = 8192;

/// Makes prefix sums of prefix sums and checks the second ones with a weighted sum.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((20_000, 2), (2_000_000, 120));
    let mut random = Random::new(12);
    let mut numbers: Vec<u64> = (0..n).map(|_| random.next()).collect();
    let weighted = |sum: u64, (i, number): (usize, &u64)| {
        sum.wrapping_add(number.wrapping_mul((n - i) as u64))
    };
    let expected = numbers.iter().enumerate().fold(0, weighted);
    scan(&mut numbers);
    scan(&mut numbers);
    assert_eq!(numbers[n - 1], expected);
    for _ in 2..rounds {
        scan(&mut numbers);
    }
    numbers[n - 1]
}

fn scan(numbers: &mut [u64]) {
    let add = |sum: u64, number: &u64| sum.wrapping_add(*number);
    let mut before: Vec<u64> =
        numbers.par_chunks(CHUNK).map(|chunk| chunk.iter().fold(0, add)).collect();
    let mut sum = 0_u64;
    for chunk_sum in &mut before {
        (*chunk_sum, sum) = (sum, sum.wrapping_add(*chunk_sum));
    }
    numbers.par_chunks_mut(CHUNK).zip(before).for_each(|(chunk, before)| {
        let mut sum = before;
        for number in chunk {
            sum = sum.wrapping_add(*number);
            *number = sum;
        }
    });
}
