//! Tasks print. What they share is the buffer of standard output, which has a lock.

use rayon::prelude::*;

fn main() {
    let words: Vec<String> = (0..200).map(|number| format!("number {number}")).collect();
    words.par_iter().for_each(|word| {
        println!("{word} of {}", words.len());
        eprint!("{word}\n{word}");
    });
}
