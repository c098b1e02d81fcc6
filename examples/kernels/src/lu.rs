//! LU decomposition without pivoting, by tiles: below each diagonal tile, the rows of tiles are
//! updated in parallel, and in each row its tiles.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::random::Random;
use crate::size::Size;

/// Rows and columns of a tile.
const SIDE: usize = 32;

type Tile = Box<[[f64; SIDE]; SIDE]>;

/// Decomposes a matrix and checks the factors with a vector.
pub fn run(size: Size) -> u64 {
    let across = size.pick(2, 26);
    let n = across * SIDE;
    let mut random = Random::new(6);
    let mut tiles: Vec<Tile> = (0..across * across)
        .map(|_| Box::new([(); SIDE].map(|()| [(); SIDE].map(|()| random.coarse()))))
        .collect();
    for i in 0..n {
        // A heavy diagonal needs no pivoting.
        tiles[i / SIDE * (across + 1)][i % SIDE][i % SIDE] += n as f64;
    }
    let sums: Vec<f64> =
        (0..n).map(|i| (0..n).map(|j| element(&tiles, across, i, j)).sum()).collect();
    decompose(&mut tiles, across);

    // L (U 1) must be the sums of the rows.
    let upper: Vec<f64> =
        (0..n).map(|i| (i..n).map(|j| element(&tiles, across, i, j)).sum()).collect();
    for (i, sum) in sums.iter().enumerate() {
        let below: f64 = (0..i).map(|j| element(&tiles, across, i, j) * upper[j]).sum();
        assert!((below + upper[i] - sum).abs() < 1e-9 * n as f64);
    }
    upper.iter().sum::<f64>() as u64
}

fn element(tiles: &[Tile], across: usize, i: usize, j: usize) -> f64 {
    tiles[i / SIDE * across + j / SIDE][i % SIDE][j % SIDE]
}

fn decompose(tiles: &mut [Tile], across: usize) {
    for k in 0..across {
        let (done, below) = tiles.split_at_mut((k + 1) * across);
        let (diagonal, right) = done[k * across + k..].split_at_mut(1);
        factor(&mut diagonal[0]);
        let diagonal = &diagonal[0];
        right.par_iter_mut().for_each(|tile| solve_lower(diagonal, tile));
        let right = &*right;
        below.par_chunks_mut(across).for_each(|row| {
            let (left, rest) = row.split_at_mut(k + 1);
            solve_upper(diagonal, &mut left[k]);
            let left = &left[k];
            rest.par_iter_mut().zip(right).for_each(|(tile, above)| subtract(tile, left, above));
        });
    }
}

/// Decomposes one tile.
fn factor(tile: &mut Tile) {
    for k in 0..SIDE {
        let (done, below) = tile.split_at_mut(k + 1);
        let pivot = &done[k];
        for row in below {
            row[k] /= pivot[k];
            let factor = row[k];
            for j in k + 1..SIDE {
                row[j] -= factor * pivot[j];
            }
        }
    }
}

/// A tile to the right of the diagonal one.
fn solve_lower(diagonal: &Tile, tile: &mut Tile) {
    for k in 0..SIDE {
        let (done, below) = tile.split_at_mut(k + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = diagonal[k + 1 + i][k];
            for (x, pivot) in row.iter_mut().zip(&done[k]) {
                *x -= factor * pivot;
            }
        }
    }
}

/// A tile below the diagonal one.
fn solve_upper(diagonal: &Tile, tile: &mut Tile) {
    for row in tile.iter_mut() {
        for k in 0..SIDE {
            row[k] /= diagonal[k][k];
            let factor = row[k];
            for j in k + 1..SIDE {
                row[j] -= factor * diagonal[k][j];
            }
        }
    }
}

/// Subtracts the product of two tiles from a third.
fn subtract(tile: &mut Tile, left: &Tile, above: &Tile) {
    for (row, factors) in tile.iter_mut().zip(left.iter()) {
        for (factor, above_row) in factors.iter().zip(above.iter()) {
            for (x, y) in row.iter_mut().zip(above_row) {
                *x -= factor * y;
            }
        }
    }
}
