//! A file of numbers, one on each line.

use std::fmt::Write;

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;

/// Parses them, and checks with those that were written.
pub fn run(size: Size) -> u64 {
    let (count, rounds) = size.pick((2_000, 2), (200_000, 10));
    let mut random = Random::new(7);
    let numbers: Vec<f64> = (0..count).map(|_| random.next() as f64 / 1024.0).collect();
    let mut text = String::new();
    for number in &numbers {
        writeln!(text, "{number}").expect("strings grow");
    }
    let mut parsed = Vec::new();
    for _ in 0..rounds {
        let result: Result<Vec<f64>, _> = text.par_lines().map(str::parse).collect();
        parsed = result.expect("all are numbers");
    }
    assert_eq!(parsed, numbers);
    parsed.iter().map(|number| *number as u64 % 1_000).sum()
}
