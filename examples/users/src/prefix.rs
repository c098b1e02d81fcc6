//! Prefix sums of 32-bit numbers: sums of chunks, where each begins, then all chunks.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Adds up, and checks the last and the differences.
pub fn run(size: Size) -> u64 {
    let ((n, chunk), rounds) = size.pick(((20_000, 500), 2), ((2_000_000, 1_000), 50));
    let numbers = numbers(n);
    let mut sums = numbers.clone();
    for _ in 0..rounds {
        sums.copy_from_slice(&numbers);
        let totals: Vec<u32> = numbers.par_chunks(chunk).map(|chunk| chunk.iter().sum()).collect();
        let starts: Vec<u32> = totals
            .iter()
            .scan(0, |start, total| {
                *start += total;
                Some(*start - total)
            })
            .collect();
        sums.par_chunks_mut(chunk).zip(starts).for_each(|(chunk, start)| {
            let mut sum = start;
            for number in chunk {
                sum += *number;
                *number = sum;
            }
        });
    }
    assert!(sums.windows(2).zip(&numbers[1..]).all(|(pair, number)| pair[1] - pair[0] == *number));
    u64::from(sums[n - 1])
}

/// The mistake: each chunk begins with the last sum of the one before, which may not be there yet.
pub fn racy(size: Size) -> u64 {
    let (n, chunk) = size.pick((20_000, 500), (2_000_000, 1_000));
    let mut sums = numbers(n);
    let shared = UnsafeSlice::new(&mut sums);
    (0..n / chunk).into_par_iter().for_each(|at| {
        // SAFETY: none, that is the mistake.
        let mut sum = if at == 0 { 0 } else { unsafe { *shared.get(at * chunk - 1) } }; // race: it is being added up
        for i in at * chunk..(at + 1) * chunk {
            // SAFETY: none, as above.
            unsafe {
                sum += *shared.get(i);
                *shared.get(i) = sum; // race: the next chunk begins with the last one
            }
        }
    });
    u64::from(sums[n - 1])
}

fn numbers(n: usize) -> Vec<u32> {
    let mut random = Random::new(24);
    (0..n).map(|_| random.below(1_000) as u32).collect()
}
