//! Counts the ways to place eight queens, with the bug of an early Cilk example that the
//! Nondeterminator found (Feng and Leiserson 1997, Figure 16).
//!
//! Queens are placed row by row. Every call makes a new board, so that a child does not overwrite
//! its parent's; but one per call, not one per column. While a child still copies it, the parent
//! already places the next queen on it. Where a child is run at once, as in Cilk, most runs give
//! the right number all the same, which is 92; rayon's scopes put children off, and the number is
//! mostly wrong.

use std::sync::atomic::{AtomicU32, Ordering};

const QUEENS: u8 = 8;

static SOLUTIONS: AtomicU32 = AtomicU32::new(0);

/// The columns of the queens placed so far, one per row.
#[derive(Clone, Copy)]
struct Board(*mut u8);

// SAFETY: boards outlive the tasks that use them. That nobody changes one meanwhile is a promise
// that is not kept.
unsafe impl Send for Board {}
// SAFETY: as above.
unsafe impl Sync for Board {}

fn nqueens(board: Board, row: usize) {
    if row == usize::from(QUEENS) {
        SOLUTIONS.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let mut squares = vec![0_u8; row + 1];
    let new_board = Board(squares.as_mut_ptr());
    // SAFETY: both boards have room for `row` queens, and the parent waits for us.
    unsafe { std::ptr::copy_nonoverlapping(board.0, new_board.0, row) };
    rayon::scope(|scope| {
        for column in 0..QUEENS {
            if is_safe(new_board, row, column) {
                // SAFETY: the board has room for one more queen.
                unsafe { *new_board.0.add(row) = column };
                scope.spawn(move |_| nqueens(new_board, row + 1));
            }
        }
    });
}

/// Whether no queen of an earlier row attacks the square.
fn is_safe(board: Board, row: usize, column: u8) -> bool {
    (0..row).all(|earlier| {
        // SAFETY: the board has a queen in every earlier row.
        let queen = unsafe { *board.0.add(earlier) };
        queen != column && usize::from(queen.abs_diff(column)) != row - earlier
    })
}

fn main() {
    nqueens(Board(std::ptr::dangling_mut()), 0);
    println!("{} solutions", SOLUTIONS.load(Ordering::Relaxed));
}
