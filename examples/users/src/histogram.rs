//! A histogram of an image's brightness: counts for each part, then all counts together.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Counts, and checks that nothing is lost.
pub fn run(size: Size) -> u64 {
    let image = image(size);
    let rounds = size.pick(1, 100);
    let mut sum = 0;
    for _ in 0..rounds {
        let counts = image
            .par_iter()
            .fold(
                || vec![0_u32; 256],
                |mut counts, &pixel| {
                    counts[usize::from(pixel)] += 1;
                    counts
                },
            )
            .reduce(|| vec![0; 256], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        assert_eq!(counts.iter().sum::<u32>() as usize, image.len());
        sum += u64::from(counts[17]);
    }
    sum
}

/// The mistake: there is one histogram for all.
pub fn racy(size: Size) -> u64 {
    let mut counts = vec![0_u32; 256];
    let shared = UnsafeSlice::new(&mut counts);
    image(size).par_iter().for_each(|&pixel| {
        // SAFETY: none, that is the mistake.
        unsafe { *shared.get(usize::from(pixel)) += 1 } // race: pixels of the same brightness
    });
    counts.iter().map(|&count| u64::from(count)).sum()
}

fn image(size: Size) -> Vec<u8> {
    let mut random = Random::new(12);
    (0..size.pick(10_000, 1_000_000)).map(|_| random.next() as u8).collect()
}
