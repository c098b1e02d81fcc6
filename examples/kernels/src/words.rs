//! Counts words, letters and the longest word of a text: one item for each line.

use rayon::iter::ParallelIterator;
use rayon::str::ParallelString;

use crate::random::Random;
use crate::size::Size;

#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Counts {
    words: u64,
    letters: u64,
    longest: usize,
}

/// Counts in a text and checks with what was put into it.
pub fn run(size: Size) -> u64 {
    let lines = size.pick(200, 300_000);
    let (text, written) = text(lines);
    let counts = text.par_lines().map(count).reduce(Counts::default, |a, b| Counts {
        words: a.words + b.words,
        letters: a.letters + b.letters,
        longest: a.longest.max(b.longest),
    });
    assert_eq!(counts, written);
    counts.words ^ counts.letters << 16
}

fn count(line: &str) -> Counts {
    let mut counts = Counts::default();
    for word in line.split_whitespace() {
        counts.words += 1;
        counts.letters += word.bytes().filter(u8::is_ascii_alphabetic).count() as u64;
        counts.longest = counts.longest.max(word.len());
    }
    counts
}

/// Random words, and how many they are.
fn text(lines: usize) -> (String, Counts) {
    let mut random = Random::new(11);
    let mut text = String::new();
    let mut counts = Counts::default();
    for _ in 0..lines {
        for _ in 0..8 + random.below(8) {
            let length = 1 + random.below(10);
            let letters = random.next();
            text.extend((0..length).map(|i| char::from(b'a' + (letters >> (4 * i) & 15) as u8)));
            text.push_str(if random.below(8) == 0 { ", " } else { " " });
            counts.words += 1;
            counts.letters += length;
        }
        text.push('\n');
    }
    let words = text.split_whitespace();
    counts.longest = words.map(str::len).max().unwrap_or_default();
    (text, counts)
}
