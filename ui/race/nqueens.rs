//! The n-queens program of the Nondeterminator paper, Figure 16: the new board is made once per
//! call and not once per column, so a child still copies it while its parent places the next
//! queen.
//@ whole

use std::sync::atomic::{AtomicU32, Ordering};

use shared::Shared;

const QUEENS: usize = 5;
static SOLUTIONS: AtomicU32 = AtomicU32::new(0);

fn fits(board: &[u8], column: usize) -> bool {
    board.iter().rev().zip(1..).all(|(&queen, distance)| {
        usize::from(queen) != column && usize::from(queen).abs_diff(column) != distance
    })
}

fn place(board: Shared<u8>, row: usize) {
    if row == QUEENS {
        SOLUTIONS.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let mut boards = vec![0_u8; row + 1];
    let new_board = Shared::slice(&mut boards);
    rayon::scope(|scope| {
        // SAFETY: the parent's board has `row` queens and lives until its scope ends. That the
        // parent writes it meanwhile is what is tested.
        unsafe { std::ptr::copy_nonoverlapping(board.get(), new_board.get(), row) } //~ race 1
        for column in 0..QUEENS {
            // SAFETY: the first `row` queens of the new board stay as they are.
            let queens = unsafe { std::slice::from_raw_parts(new_board.get(), row) };
            if !fits(queens, column) {
                continue;
            }
            // SAFETY: as above.
            unsafe { *new_board.at(row) = u8::try_from(column).expect("few columns") } //~ race 1
            scope.spawn(move |_| place(new_board, row + 1));
        }
    });
}

fn main() {
    place(Shared::slice(&mut []), 0);
    // It is 10 where every child runs at once, and anything elsewhere.
    assert!(SOLUTIONS.load(Ordering::Relaxed) <= 120);
}
