//! All ways to place queens on a board that do not attack each other. The bug is the one that was
//! found in the example of the Cilk distribution: a child works on the board of its parent, which
//! goes on to place the next queen there.

use rayon::scope;

use crate::check::{Outcome, ensure};
use crate::shared::Shared;
use crate::size::Size;

/// The largest board.
const MOST: usize = 16;

/// The columns of the queens, row by row.
type Board = [u8; MOST];

/// Counts the solutions.
pub fn run(size: Size, racy: bool) -> Outcome {
    const SOLUTIONS: [u64; 14] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712];
    let n = size.pick(5, 12, 13);
    let mut board = [0; MOST];
    let found =
        if racy { place_shared(Shared::slice(&mut board), n, 0) } else { place(&board, n, 0) };
    ensure(found == SOLUTIONS[n], "the number of solutions is wrong")?;
    Ok(found)
}

/// The solutions that begin as the board does.
fn place(board: &Board, n: usize, row: usize) -> u64 {
    if row == n {
        return 1;
    }
    let mut found = [0; MOST];
    scope(|s| {
        for (column, found) in (0..n as u8).zip(&mut found) {
            s.spawn(move |_| {
                let mut board = *board;
                board[row] = column;
                if is_safe(&board[..=row]) {
                    *found = place(&board, n, row + 1);
                }
            });
        }
    });
    found.iter().sum()
}

/// The same without copies.
fn place_shared(board: Shared<u8>, n: usize, row: usize) -> u64 {
    if row == n {
        return 1;
    }
    let mut found = [0; MOST];
    scope(|s| {
        for (column, found) in (0..n as u8).zip(&mut found) {
            // SAFETY: there is none. The child before may still look at the board.
            unsafe { *board.at(row) = column } // race: it is the children's board, too
            s.spawn(move |_| {
                // SAFETY: there is none. The parent goes on.
                let placed = unsafe { board.part(0..row + 1).as_slice() };
                if is_safe(placed) {
                    *found = place_shared(board, n, row + 1);
                }
            });
        }
    });
    found.iter().sum()
}

/// Whether the last queen is attacked by no other.
fn is_safe(placed: &[u8]) -> bool {
    let row = placed.len() - 1;
    let column = placed[row]; // race: the parent may have placed the next one
    (0..row).all(|other| {
        let distance = placed[other].abs_diff(column); // race: likewise, higher up
        distance != 0 && usize::from(distance) != row - other
    })
}
