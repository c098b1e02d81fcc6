//! Texts to read: words that look random and are the same in every run.

use crate::random::Random;

/// Different words, of two to nine letters.
pub fn vocabulary(count: usize) -> Vec<String> {
    let mut random = Random::new(3);
    (0..count)
        .map(|_| {
            let length = 2 + random.below(8);
            (0..length).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
        })
        .collect()
}

/// Lines of four to eleven words.
pub fn lines(count: usize) -> String {
    let words = vocabulary(2_000);
    let mut random = Random::new(5);
    let mut text = String::new();
    for _ in 0..count {
        for _ in 0..4 + random.below(8) {
            // Some words are more frequent than others.
            let word = random.below(2_000).min(random.below(2_000));
            text.push_str(&words[word as usize]);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}
