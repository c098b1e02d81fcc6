//! A million words, each written by both tasks at one line: one finding, in bounded time and
//! memory.

use shared::Shared;

const WORDS: usize = 1_000_000;

fn fill(words: Shared<u64>, value: u64) {
    for index in 0..WORDS {
        // SAFETY: the index is in bounds; the conflict is what is tested.
        unsafe { *words.at(index) = value } //~ race 1
    }
}

fn main() {
    let mut words = vec![0_u64; WORDS];
    let first = Shared::slice(&mut words);
    rayon::join(|| fill(first, 1), || fill(first, 2));
    assert!(words.iter().all(|&word| word == 1 || word == 2));
}
