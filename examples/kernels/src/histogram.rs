//! Histograms of the bytes of words: one for each chunk, added up by a reduction.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use crate::random::Random;
use crate::size::Size;

const CHUNK: usize = 16 * 1024;

/// Makes the histogram of each byte and checks that every word was counted.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((20_000, 1), (2_000_000, 40));
    let mut random = Random::new(9);
    // Lower numbers are likelier, as in a picture.
    let words: Vec<u32> = (0..n).map(|_| (random.next() & random.next()) as u32).collect();
    let mut check = 0;
    for round in 0..rounds {
        for shift in [0, 8, 16, 24] {
            let counts = histogram(&words, shift);
            assert_eq!(counts.iter().sum::<u64>(), n as u64);
            check += counts.iter().zip(round + 1..).map(|(count, i)| count * i).sum::<u64>();
        }
    }
    check
}

fn histogram(words: &[u32], shift: u32) -> [u64; 256] {
    let add = |mut sum: [u64; 256], other: [u64; 256]| {
        sum.iter_mut().zip(other).for_each(|(sum, count)| *sum += count);
        sum
    };
    words.par_chunks(CHUNK).map(|chunk| count(chunk, shift)).reduce(|| [0; 256], add)
}

fn count(words: &[u32], shift: u32) -> [u64; 256] {
    let mut counts = [0; 256];
    for word in words {
        counts[(word >> shift & 0xff) as usize] += 1;
    }
    counts
}
