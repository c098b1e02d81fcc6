//! Breadth-first search in which every vertex looks at its neighbours' levels of the round before:
//! nobody writes what another reads.

use rayon::prelude::*;

const UNSEEN: u32 = u32::MAX;

/// A ring of 16 with a chord from 0 to 8.
fn neighbours(vertex: usize) -> Vec<usize> {
    let mut neighbours = vec![(vertex + 1) % 16, (vertex + 15) % 16];
    match vertex {
        0 => neighbours.push(8),
        8 => neighbours.push(0),
        _ => {}
    }
    neighbours
}

fn main() {
    let mut levels = [UNSEEN; 16];
    levels[0] = 0;
    for round in 1.. {
        let before = levels;
        levels.par_iter_mut().enumerate().for_each(|(vertex, level)| {
            let near = |&neighbour: &usize| before[neighbour] == round - 1;
            if *level == UNSEEN && neighbours(vertex).iter().any(near) {
                *level = round;
            }
        });
        if levels == before {
            break;
        }
    }
    assert_eq!(levels, [0, 1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 4, 4, 3, 2, 1]);
}
