//! The game of life on a torus, one item for each cell.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

struct World {
    width: usize,
    cells: Vec<bool>,
}

impl World {
    fn random(width: usize) -> Self {
        let mut random = Random::new(14);
        Self { width, cells: (0..width * width).map(|_| random.below(3) == 0).collect() }
    }

    /// A glider, moved down and to the right.
    fn glider(width: usize, by: usize) -> Self {
        let mut cells = vec![false; width * width];
        for (row, column) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
            cells[(row + by) % width * width + (column + by) % width] = true;
        }
        Self { width, cells }
    }

    /// The eight cells around one.
    fn around(&self, cell: usize) -> [usize; 8] {
        let n = self.width;
        let (row, column) = (cell / n, cell % n);
        let (up, down) = ((row + n - 1) % n * n, (row + 1) % n * n);
        let (left, right) = ((column + n - 1) % n, (column + 1) % n);
        let row = row * n;
        [
            up + left,
            up + column,
            up + right,
            row + left,
            row + right,
            down + left,
            down + column,
            down + right,
        ]
    }

    fn next(&self) -> Self {
        let cells = (0..self.cells.len())
            .into_par_iter()
            .map(|cell| {
                let alive = self.around(cell).into_iter().filter(|&cell| self.cells[cell]).count();
                alive == 3 || alive == 2 && self.cells[cell]
            })
            .collect();
        Self { width: self.width, cells }
    }
}

/// Lets a world live, and a glider fly.
pub fn run(size: Size) -> u64 {
    let (width, generations) = size.pick((64, 4), (500, 30));
    let mut world = World::random(width);
    for _ in 0..generations {
        world = world.next();
    }
    let mut glider = World::glider(16, 0);
    for _ in 0..20 {
        glider = glider.next();
    }
    assert_eq!(glider.cells, World::glider(16, 5).cells);
    world.cells.iter().filter(|&&cell| cell).count() as u64
}

/// The mistake: cells change while their neighbours look at them.
pub fn racy(size: Size) -> u64 {
    let mut world = World::random(size.pick(64, 500));
    let mut cells = std::mem::take(&mut world.cells);
    let shared = UnsafeSlice::new(&mut cells);
    (0..world.width * world.width).into_par_iter().for_each(|cell| {
        // SAFETY: none, that is the mistake.
        let is_alive = |&cell: &usize| unsafe { *shared.get(cell) }; // race: it may have changed
        let alive = world.around(cell).iter().filter(|cell| is_alive(cell)).count();
        let lives = alive == 3 || alive == 2 && is_alive(&cell);
        // SAFETY: none, as above.
        unsafe { *shared.get(cell) = lives } // race: neighbours look at it
    });
    cells.len() as u64
}
