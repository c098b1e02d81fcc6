//! Tasks look strings up in sets that nobody changes.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;

fn main() {
    let words: Vec<String> = (0..64).map(|number| format!("number {number}")).collect();
    let hashed: HashSet<&str> = words.iter().map(String::as_str).collect();
    let ordered: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    let found = words
        .par_iter()
        .filter(|word| hashed.contains(word.as_str()) && ordered.contains(word.as_str()))
        .count();
    assert_eq!(found, 64);
}
