//! Graphs: for every vertex a list of others.

use crate::random::Random;

/// A random graph in which most vertices are connected, some by several ways; edges go both ways.
pub fn random(vertices: usize, edges: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(17);
    let mut graph = vec![Vec::new(); vertices];
    for _ in 0..edges {
        let [from, to] = [(); 2].map(|()| random.below(vertices as u64) as usize);
        graph[from].push(to as u32);
        graph[to].push(from as u32);
    }
    graph
}
