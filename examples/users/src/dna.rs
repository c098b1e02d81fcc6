//! A strand of DNA: its other half, backwards, and how often pairs of letters are in it.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// The other half of the other half is the strand.
pub fn run(size: Size) -> u64 {
    let (length, rounds) = size.pick((10_000, 2), (4_000_000, 10));
    let mut random = Random::new(27);
    let strand: Vec<u8> = (0..length).map(|_| b"ACGT"[random.below(4) as usize]).collect();
    let mut pairs = 0;
    for _ in 0..rounds {
        let other: Vec<u8> = strand.par_iter().rev().map(|&letter| complement(letter)).collect();
        pairs = other.par_windows(2).filter(|pair| pair == b"CG").count();
        // The other half of `CG` is `CG`.
        assert_eq!(pairs, strand.par_windows(2).filter(|pair| pair == b"CG").count());
        let again: Vec<u8> = other.par_iter().rev().map(|&letter| complement(letter)).collect();
        assert!(again == strand);
    }
    pairs as u64
}

fn complement(letter: u8) -> u8 {
    match letter {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    }
}
