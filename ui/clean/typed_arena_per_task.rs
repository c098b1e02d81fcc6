//! Each task has an arena of its own, for values that refer to each other.

use rayon::prelude::*;
use typed_arena::Arena;

struct Node<'a> {
    number: u32,
    next: Option<&'a Node<'a>>,
}

fn sum(len: u32) -> u32 {
    let arena = Arena::new();
    let mut first: Option<&Node> = None;
    for number in 0..len {
        first = Some(arena.alloc(Node { number, next: first }));
    }
    std::iter::successors(first, |node| node.next).map(|node| node.number).sum()
}

fn main() {
    let sums: Vec<u32> = (0..100_u32).into_par_iter().map(sum).collect();
    assert_eq!(sums[4], 6);
}
