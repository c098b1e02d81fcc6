//! Feng and Leiserson 1997, Figure 16: the new board is made once per call and not once per column,
//! so a child still copies it while its parent places the next queen.

use rosser::{Accumulator, Procedure, Sum, procedure};
use shared::Shared;

const QUEENS: usize = 4;

fn fits(board: &[u8], column: usize) -> bool {
    board.iter().rev().zip(1..).all(|(&queen, distance)| {
        usize::from(queen) != column && usize::from(queen).abs_diff(column) != distance
    })
}

fn place<'scope>(
    p: &Procedure<'scope>,
    board: Shared<u8>,
    row: usize,
    solutions: &'scope Accumulator<u32, Sum>,
) {
    if row == QUEENS {
        solutions.accumulate(1);
        return;
    }
    let mut squares = vec![0_u8; row + 1];
    let new_board = Shared::slice(&mut squares);
    // SAFETY: the parent's board has `row` queens and lives until the parent has synced. That the
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
        p.spawn(move |p| place(p, new_board, row + 1, solutions));
    }
    p.sync();
}

fn main() {
    let solutions = Accumulator::new(Sum, 0);
    procedure(|p| place(p, Shared::slice(&mut []), 0, &solutions));
    // It is 2 where every child runs at once, and anything elsewhere.
    assert!(solutions.into_inner() <= 24);
}
