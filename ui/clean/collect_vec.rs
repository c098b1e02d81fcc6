//! Collecting into vectors: of known length, of unknown length, into one that has room, and of
//! values that own memory.

use rayon::prelude::*;

fn main() {
    let mut known: Vec<u32> = (0..32).into_par_iter().map(|item| item * 2).collect();
    (0..32_u32).into_par_iter().map(|item| item * 3).collect_into_vec(&mut known);
    assert_eq!(known[31], 93);
    let unknown: Vec<u32> = known.par_iter().copied().filter(|item| item % 2 == 0).collect();
    assert_eq!(unknown.len(), 16);
    let strings: Vec<String> = known.par_iter().map(ToString::to_string).collect();
    assert_eq!(strings[10], "30");
    let boxed: Box<[String]> = strings.into_par_iter().rev().collect();
    assert_eq!(boxed[0], "93");
    let vectors: Vec<Vec<u32>> = (0..4).into_par_iter().map(|item| vec![item; 3]).collect();
    assert_eq!(vectors.concat().len(), 12);
    let list = known.into_par_iter().map(Box::new).collect_vec_list();
    assert_eq!(list.iter().map(Vec::len).sum::<usize>(), 32);
}
