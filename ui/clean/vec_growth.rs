//! Vectors that grow inside tasks are moved by `realloc`, to places that siblings used before.

use rayon::prelude::*;

fn main() {
    let vectors: Vec<Vec<usize>> = (0..16_usize)
        .into_par_iter()
        .map(|item| {
            let mut vector = Vec::new();
            for value in 0..item * 10 {
                vector.push(value);
            }
            vector.shrink_to_fit();
            vector
        })
        .collect();
    assert_eq!(vectors.iter().map(Vec::len).sum::<usize>(), 1200);
    let mut strings = vec![String::new(); 8];
    strings.par_iter_mut().for_each(|string| {
        for _ in 0..20 {
            string.push_str("some text ");
        }
    });
    assert!(strings.iter().all(|string| string.len() == 200));
}
