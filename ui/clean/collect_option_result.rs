//! Collecting into an `Option` or a `Result` when nothing fails.

use std::collections::HashMap;

use rayon::prelude::*;

fn main() {
    let texts = ["1", "2", "3", "4"];
    let numbers: Result<Vec<u32>, _> = texts.par_iter().map(|text| text.parse()).collect();
    assert_eq!(numbers, Ok(vec![1, 2, 3, 4]));
    let numbers: Option<Vec<u32>> = texts.par_iter().map(|text| text.parse().ok()).collect();
    assert_eq!(numbers, Some(vec![1, 2, 3, 4]));
    let lengths: Option<HashMap<&str, usize>> =
        texts.par_iter().map(|text| Some((*text, text.len()))).collect();
    assert_eq!(lengths.map(|lengths| lengths.len()), Some(4));
}
