//! The game of life on a torus of bytes: the rows of each generation in parallel.

use std::mem::swap;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::random::Random;
use crate::size::Size;

/// Lets a random world live beside a glider's, and checks where the glider has gone.
pub fn run(size: Size) -> u64 {
    let (n, generations) = size.pick((16, 8), (512, 120));
    let mut random = Random::new(14);
    let world: Vec<u8> = (0..n * n).map(|_| u8::from(random.below(3) == 0)).collect();
    let world = live(world, n, generations);

    let small = 16;
    let glider = |at: usize| -> Vec<u8> {
        let mut world = vec![0; small * small];
        for (row, column) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
            world[(row + at) % small * small + (column + at) % small] = 1;
        }
        world
    };
    assert!(live(glider(0), small, 20) == glider(5));
    world.iter().enumerate().map(|(i, &cell)| i as u64 * u64::from(cell)).sum()
}

fn live(mut old: Vec<u8>, n: usize, generations: usize) -> Vec<u8> {
    let mut new = vec![0; n * n];
    for _ in 0..generations {
        new.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
            let rows = [(i + n - 1) % n, i, (i + 1) % n].map(|i| &old[i * n..(i + 1) * n]);
            for (j, cell) in row.iter_mut().enumerate() {
                let left = if j == 0 { n - 1 } else { j - 1 };
                let right = if j == n - 1 { 0 } else { j + 1 };
                let column = |j: usize| rows[0][j] + rows[1][j] + rows[2][j];
                let around = column(left) + column(j) + column(right) - rows[1][j];
                *cell = u8::from(around == 3 || (around == 2 && rows[1][j] == 1));
            }
        });
        swap(&mut old, &mut new);
    }
    old
}
