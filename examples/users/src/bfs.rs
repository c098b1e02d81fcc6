//! Breadth-first search, level by level: who marks a vertex first has it in its part of the next level.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::graph;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Searches, and checks that neighbours are at most one level apart.
pub fn run(size: Size) -> u64 {
    let (vertices, edges) = size.pick((1_000, 4_000), (150_000, 600_000));
    let graph = graph::random(vertices, edges);
    let visited: Vec<AtomicBool> = (0..vertices).map(|_| AtomicBool::new(false)).collect();
    visited[0].store(true, Ordering::Relaxed);
    let mut levels = vec![u32::MAX; vertices];
    let mut frontier = vec![0_u32];
    let mut level = 0;
    while !frontier.is_empty() {
        for &vertex in &frontier {
            levels[vertex as usize] = level;
        }
        level += 1;
        frontier = frontier
            .par_iter()
            .flat_map_iter(|&vertex| graph[vertex as usize].iter().copied())
            .filter(|&vertex| {
                let visited = &visited[vertex as usize];
                !visited.swap(true, Ordering::Relaxed) // order: whose neighbour it is in the next level
            })
            .collect();
    }
    for (vertex, others) in graph.iter().enumerate() {
        assert!(others.iter().all(|&other| levels[other as usize].abs_diff(levels[vertex]) <= 1));
    }
    levels.iter().filter(|&&level| level != u32::MAX).map(|&level| u64::from(level)).sum()
}

/// The mistake: the marks are plain.
pub fn racy(size: Size) -> u64 {
    let (vertices, edges) = size.pick((1_000, 4_000), (150_000, 600_000));
    let graph = graph::random(vertices, edges);
    let mut visited = vec![false; vertices];
    visited[0] = true;
    let shared = UnsafeSlice::new(&mut visited);
    let mut frontier = vec![0_u32];
    let mut reached = 0;
    while !frontier.is_empty() {
        reached += frontier.len() as u64;
        frontier = frontier
            .par_iter()
            .flat_map_iter(|&vertex| graph[vertex as usize].iter().copied())
            .filter(|&vertex| {
                let visited = shared.get(vertex as usize);
                // SAFETY: none, that is the mistake.
                unsafe {
                    let is_new = !*visited; // race: another item may come to it, too
                    *visited = true; // race: as above
                    is_new
                }
            })
            .collect();
    }
    reached
}
