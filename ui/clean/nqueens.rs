//! The n-queens program of the Nondeterminator paper with its bug mended: every child gets a board
//! of its own.

use std::sync::atomic::{AtomicU32, Ordering};

const QUEENS: usize = 6;
static SOLUTIONS: AtomicU32 = AtomicU32::new(0);

fn fits(board: &[usize], column: usize) -> bool {
    board
        .iter()
        .rev()
        .zip(1..)
        .all(|(&queen, distance)| queen != column && queen.abs_diff(column) != distance)
}

fn place(board: &[usize]) {
    if board.len() == QUEENS {
        SOLUTIONS.fetch_add(1, Ordering::Relaxed);
        return;
    }
    rayon::scope(|scope| {
        for column in (0..QUEENS).filter(|&column| fits(board, column)) {
            let mut new_board = board.to_vec();
            new_board.push(column);
            scope.spawn(move |_| place(&new_board));
        }
    });
}

fn main() {
    place(&[]);
    assert_eq!(SOLUTIONS.load(Ordering::Relaxed), 4);
}
