//! Parallel iterators over text, and the text they are collected into.

use rayon::prelude::*;

fn main() {
    let text = "one two three\nfour five six\nseven eight nine\n";
    assert_eq!(text.par_lines().map(|line| line.split(' ').count()).sum::<usize>(), 9);
    assert_eq!(text.par_split_whitespace().map(str::len).max(), Some(5));
    assert_eq!(text.par_chars().filter(|char| *char == 'e').count(), 8);
    assert_eq!(text.par_bytes().filter(u8::is_ascii_whitespace).count(), 9);
    assert_eq!(text.par_split('\n').count(), 4);
    let shouted: String = text.par_chars().map(|char| char.to_ascii_uppercase()).collect();
    assert!(shouted.starts_with("ONE TWO"));
    let words: String = text.par_split_whitespace().rev_words().collect();
    assert!(words.starts_with("eno"));
}

/// Turns every word round.
trait RevWords<'a>: ParallelIterator<Item = &'a str> {
    fn rev_words(self) -> impl ParallelIterator<Item = String> {
        self.map(|word| word.chars().rev().collect())
    }
}

impl<'a, I: ParallelIterator<Item = &'a str>> RevWords<'a> for I {}
