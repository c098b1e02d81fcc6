//! Counts the ways to place queens: one task for each queen of the first rows, with a board of its
//! own.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::{Scope, scope};

use crate::size::Size;

/// How many ways there are to place as many queens as the index says.
const KNOWN: [u64; 13] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];

/// Counts, and checks with the known number.
pub fn run(size: Size) -> u64 {
    let queens = size.pick(6, 12);
    let ways = AtomicU64::new(0);
    scope(|scope| place(scope, Vec::new(), queens, &ways));
    let ways = ways.into_inner();
    assert_eq!(ways, KNOWN[queens]);
    ways
}

/// Places the next queen. The board has the columns of the queens so far, one per row.
fn place<'a>(scope: &Scope<'a>, board: Vec<u8>, queens: usize, ways: &'a AtomicU64) {
    if board.len() == queens / 2 {
        let mut board = board;
        ways.fetch_add(count(&mut board, queens), Ordering::Relaxed);
        return;
    }
    for column in 0..queens as u8 {
        if is_safe(&board, column) {
            let mut next = board.clone();
            next.push(column);
            scope.spawn(move |scope| place(scope, next, queens, ways));
        }
    }
}

/// The number of ways to place the rest, one after the other.
fn count(board: &mut Vec<u8>, queens: usize) -> u64 {
    if board.len() == queens {
        return 1;
    }
    let mut ways = 0;
    for column in 0..queens as u8 {
        if is_safe(board, column) {
            board.push(column);
            ways += count(board, queens);
            board.pop();
        }
    }
    ways
}

/// Whether no queen attacks the square in the next row.
fn is_safe(board: &[u8], column: u8) -> bool {
    board.iter().enumerate().all(|(row, &queen)| {
        queen != column && usize::from(queen.abs_diff(column)) != board.len() - row
    })
}
