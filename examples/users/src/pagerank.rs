//! `PageRank`: what each page is worth, from the pages that lead to it.

use rayon::prelude::*;

use crate::graph;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Iterates; all ranks together stay one.
pub fn run(size: Size) -> u64 {
    let (graph, rounds) = pages(size);
    let n = graph.len() as f64;
    let mut ranks = vec![1.0 / n; graph.len()];
    for _ in 0..rounds {
        ranks = graph
            .par_iter()
            .map(|others| {
                let share =
                    |&other: &u32| ranks[other as usize] / graph[other as usize].len() as f64;
                0.15 / n + 0.85 * others.iter().map(share).sum::<f64>()
            })
            .collect();
    }
    let sum: f64 = ranks.iter().sum();
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    let best = (0..ranks.len()).max_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    best.expect("there are pages") as u64
}

/// The mistake: pages give their shares away, several to the same one.
pub fn racy(size: Size) -> u64 {
    let (graph, _) = pages(size);
    let rank = 1.0 / graph.len() as f64;
    let mut next = vec![0.15 * rank; graph.len()];
    let shared = UnsafeSlice::new(&mut next);
    graph.par_iter().for_each(|others| {
        let share = 0.85 * rank / others.len() as f64;
        for &other in others {
            // SAFETY: none, that is the mistake.
            unsafe { *shared.get(other as usize) += share } // race: others give to it, too
        }
    });
    next.len() as u64
}

/// Every page leads to one at least, itself.
fn pages(size: Size) -> (Vec<Vec<u32>>, usize) {
    let (vertices, edges, rounds) = size.pick((1_000, 4_000, 3), (50_000, 200_000, 40));
    let mut graph = graph::random(vertices, edges);
    for (page, others) in graph.iter_mut().enumerate() {
        others.push(page as u32);
    }
    (graph, rounds)
}
