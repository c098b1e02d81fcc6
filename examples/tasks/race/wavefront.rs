//! The best local alignment of two sequences by Smith and Waterman. The table is filled in blocks,
//! one task for each; a block needs the last row of the one above and the last column of the one to
//! the left, and waits for the promises of both. So blocks on one diagonal are filled in parallel.
//!
//! The bug: a task waits for the block diagonally above, which is not the one above. The block
//! above may still be filled when its last row is read.

use rosser::{Promise, finish};
use shared::Shared;

const BLOCKS: usize = 4;
const SIDE: usize = 16;
const LEN: usize = BLOCKS * SIDE;
/// Of a row of the table, which has a border of zeros on top and on the left.
const W: usize = LEN + 1;

/// A sequence that looks like one.
fn sequence(mut seed: u32) -> Vec<u8> {
    let next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"ACGT"[(seed >> 30) as usize]
    };
    std::iter::repeat_with(next).take(LEN).collect()
}

/// Fills a block of the table.
fn fill(t: Shared<i64>, block: (usize, usize), a: &[u8], b: &[u8]) {
    for row in block.0 * SIDE..(block.0 + 1) * SIDE {
        for column in block.1 * SIDE..(block.1 + 1) * SIDE {
            let k = (row + 1) * W + column + 1;
            // SAFETY: in bounds. That a neighbour may be written meanwhile is the bug.
            let near = unsafe { [*t.at(k - W - 1), *t.at(k - W), *t.at(k - 1)] }; //~ race 1
            let matched = if a[row] == b[column] { 2 } else { -1 };
            let score = (near[0] + matched).max(near[1] - 1).max(near[2] - 1).max(0);
            // SAFETY: no other task writes it.
            unsafe { *t.at(k) = score } //~ race 1
        }
    }
}

/// The table, filled block by block in a serial way.
fn serially(a: &[u8], b: &[u8]) -> Vec<i64> {
    let mut table = vec![0; W * W];
    for block in 0..BLOCKS * BLOCKS {
        fill(Shared::slice(&mut table), (block / BLOCKS, block % BLOCKS), a, b);
    }
    table
}

fn main() {
    let (a, b) = (sequence(1), sequence(2));
    let mut table = vec![0_i64; W * W];
    let shared = Shared::slice(&mut table);
    let filled: Vec<Promise<()>> = (0..BLOCKS * BLOCKS).map(|_| Promise::new()).collect();
    finish(|s| {
        let (a, b, filled) = (&a, &b, &filled);
        for i in 0..BLOCKS {
            for j in 0..BLOCKS {
                s.spawn(move |_| {
                    if i > 0 && j > 0 {
                        filled[(i - 1) * BLOCKS + j - 1].get();
                    }
                    if j > 0 {
                        filled[i * BLOCKS + j - 1].get();
                    }
                    fill(shared, (i, j), a, b);
                    filled[i * BLOCKS + j].set(());
                });
            }
        }
    });
    let wrong = table.iter().zip(serially(&a, &b)).filter(|&(&is, should)| is != should).count();
    println!("{wrong} of {} scores are wrong", LEN * LEN);
}
