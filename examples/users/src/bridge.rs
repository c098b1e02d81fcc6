//! Lines from a reader, which comes with no parallel iterator of its own.

use std::io::{BufRead, Cursor};

use rayon::prelude::*;

use crate::size::Size;
use crate::text;

/// Adds up what the letters of all lines are worth, and checks with the whole text.
pub fn run(size: Size) -> u64 {
    let text = text::lines(size.pick(1_000, 300_000));
    let reader = Cursor::new(text.as_bytes());
    let sum: u64 = reader
        .lines()
        .map_while(Result::ok)
        .par_bridge()
        .map(|line| line.bytes().map(u64::from).sum::<u64>())
        .sum(); // order: which task gets the next line
    let ends = text.lines().count() as u64 * u64::from(b'\n');
    assert_eq!(sum + ends, text.bytes().map(u64::from).sum());
    sum
}
