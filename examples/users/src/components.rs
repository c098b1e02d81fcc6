//! Connected components: everyone takes the smallest label around, until nothing changes.

use rayon::prelude::*;

use crate::graph;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Labels all vertices, and checks that neighbours have the same label.
pub fn run(size: Size) -> u64 {
    let (vertices, edges) = size.pick((1_000, 700), (100_000, 120_000));
    let graph = graph::random(vertices, edges);
    let mut labels: Vec<u32> = (0..vertices as u32).collect();
    loop {
        let next: Vec<u32> = graph
            .par_iter()
            .zip(&labels)
            .map(|(others, &own)| {
                let around = others.iter().map(|&other| labels[other as usize]);
                around.min().map_or(own, |least| least.min(own))
            })
            .collect();
        let changed = next.par_iter().zip(&labels).any(|(new, old)| new != old);
        labels = next;
        if !changed {
            break;
        }
    }
    for (others, label) in graph.iter().zip(&labels) {
        assert!(others.iter().all(|&other| labels[other as usize] == *label));
    }
    labels.iter().enumerate().filter(|(vertex, label)| *vertex == **label as usize).count() as u64
}

/// The mistake: labels are changed while others look at them, "because they only ever get smaller".
pub fn racy(size: Size) -> u64 {
    let (vertices, edges) = size.pick((1_000, 700), (100_000, 120_000));
    let graph = graph::random(vertices, edges);
    let mut labels: Vec<u32> = (0..vertices as u32).collect();
    let shared = UnsafeSlice::new(&mut labels);
    for _ in 0..2 {
        graph.par_iter().enumerate().for_each(|(vertex, others)| {
            for &other in others {
                // SAFETY: none, that is the mistake.
                unsafe {
                    let label = *shared.get(other as usize); // race: it may just get smaller
                    if label < *shared.get(vertex) {
                        *shared.get(vertex) = label; // race: others look at it
                    }
                }
            }
        });
    }
    labels.len() as u64
}
