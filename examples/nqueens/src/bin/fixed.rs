//! The same without the bug: every child gets a board of its own. It needs no `unsafe` either.

use std::sync::atomic::{AtomicU32, Ordering};

const QUEENS: u8 = 8;

static SOLUTIONS: AtomicU32 = AtomicU32::new(0);

fn nqueens(board: &[u8]) {
    if board.len() == usize::from(QUEENS) {
        SOLUTIONS.fetch_add(1, Ordering::Relaxed);
        return;
    }
    rayon::scope(|scope| {
        for column in 0..QUEENS {
            if is_safe(board, column) {
                let mut new_board = board.to_vec();
                new_board.push(column);
                scope.spawn(move |_| nqueens(&new_board));
            }
        }
    });
}

/// Whether no queen of an earlier row attacks the square.
fn is_safe(board: &[u8], column: u8) -> bool {
    board
        .iter()
        .rev()
        .zip(1..)
        .all(|(&queen, distance)| queen != column && queen.abs_diff(column) != distance)
}

fn main() {
    nqueens(&[]);
    println!("{} solutions", SOLUTIONS.load(Ordering::Relaxed));
}
