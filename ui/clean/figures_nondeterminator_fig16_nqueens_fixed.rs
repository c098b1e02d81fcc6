//! Feng and Leiserson 1997, Figure 16 repaired: a new board for every child.

use rosser::{Accumulator, Procedure, Sum, procedure};

const QUEENS: usize = 5;

fn fits(board: &[usize], column: usize) -> bool {
    board
        .iter()
        .rev()
        .zip(1..)
        .all(|(&queen, distance)| queen != column && queen.abs_diff(column) != distance)
}

fn place<'scope>(p: &Procedure<'scope>, board: &[usize], solutions: &'scope Accumulator<u32, Sum>) {
    if board.len() == QUEENS {
        solutions.accumulate(1);
        return;
    }
    for column in (0..QUEENS).filter(|&column| fits(board, column)) {
        let mut new_board = board.to_vec();
        new_board.push(column);
        p.spawn(move |p| place(p, &new_board, solutions));
    }
    p.sync();
}

fn main() {
    let solutions = Accumulator::new(Sum, 0);
    procedure(|p| place(p, &[], &solutions));
    assert_eq!(solutions.into_inner(), 10);
}
