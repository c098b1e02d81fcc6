//! How often each word is in a text: a map for each part, then all maps together.

use std::collections::HashMap;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::size::Size;
use crate::text;

/// Counts, and counts all words once more.
pub fn run(size: Size) -> u64 {
    let text = text::lines(size.pick(500, 200_000));
    let counts = text
        .par_lines()
        .fold(HashMap::new, |mut counts: HashMap<&str, u64>, line| {
            for word in line.split_whitespace() {
                *counts.entry(word).or_default() += 1;
            }
            counts
        })
        .reduce(HashMap::new, |mut counts, others| {
            for (word, count) in others {
                *counts.entry(word).or_default() += count;
            }
            counts
        });
    assert_eq!(counts.values().sum::<u64>(), text.split_whitespace().count() as u64);
    let most = counts.values().max().expect("there are words");
    counts.len() as u64 * 1_000_000 + most
}

/// The mistake: words get numbers, and who comes first gets the lower one.
pub fn racy(size: Size) -> u64 {
    let text = text::lines(size.pick(500, 200_000));
    let numbers = Mutex::new(HashMap::new());
    text.par_lines().for_each(|line| {
        for word in line.split_whitespace() {
            let mut numbers = numbers.lock().expect("nobody panics"); // order: who is first?
            let next = numbers.len(); // order: it depends on who came before
            numbers.entry(word).or_insert(next); // order: which number the word gets
        }
    });
    let numbers = numbers.into_inner().expect("nobody panicked");
    numbers.len() as u64
}
