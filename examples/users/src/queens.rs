//! Queens on a board, row by row: every board becomes several with one queen more.

use rayon::prelude::*;

use crate::size::Size;

/// The column of the queen in each row.
type Board = Vec<u8>;

/// All boards, which must be as many as is known.
pub fn run(size: Size) -> u64 {
    let (n, solutions) = size.pick((6, 4), (11, 2_680));
    let mut boards = vec![Board::new()];
    for _ in 0..n {
        boards = boards
            .into_par_iter()
            .flat_map(|board| {
                (0..n)
                    .into_par_iter()
                    .filter(|&column| is_safe(&board, column))
                    .map(|column| {
                        let mut longer = board.clone();
                        longer.push(column);
                        longer
                    })
                    .collect::<Vec<Board>>()
            })
            .collect();
    }
    assert_eq!(boards.len(), solutions);
    boards.iter().flatten().map(|&column| u64::from(column)).sum()
}

fn is_safe(board: &[u8], column: u8) -> bool {
    board.iter().rev().zip(1..).all(|(&queen, distance)| {
        queen != column && queen + distance != column && column + distance != queen
    })
}
