//! Breadth-first search, level by level: tasks claim a vertex by `compare_exchange`. Its level is
//! the same in every schedule; who claims it, and so the order of the next level, is not.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

const UNSEEN: u32 = u32::MAX;

/// A grid of 4 by 4, with edges to the right and down.
fn neighbours(vertex: usize) -> Vec<usize> {
    let right = (vertex % 4 < 3).then_some(vertex + 1);
    let down = (vertex / 4 < 3).then_some(vertex + 4);
    right.into_iter().chain(down).collect()
}

fn main() {
    let levels: Vec<AtomicU32> = (0..16).map(|_| AtomicU32::new(UNSEEN)).collect();
    levels[0].store(0, Ordering::Relaxed);
    let claim = |vertex: usize, level: u32| {
        let (old, new) = (Ordering::Relaxed, Ordering::Relaxed);
        levels[vertex].compare_exchange(UNSEEN, level, old, new).is_ok() //~ order 1
    };
    let mut frontier = vec![0];
    let mut level = 0;
    while !frontier.is_empty() {
        level += 1;
        frontier = frontier
            .par_iter()
            .flat_map_iter(|&vertex| neighbours(vertex))
            .filter(|&vertex| claim(vertex, level))
            .collect();
    }
    let levels: Vec<u32> = levels.into_iter().map(AtomicU32::into_inner).collect();
    assert!((0_u32..16).all(|vertex| levels[vertex as usize] == vertex / 4 + vertex % 4));
}
