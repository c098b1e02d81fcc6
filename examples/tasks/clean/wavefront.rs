//! The best local alignment of two sequences by Smith and Waterman. The table is filled in blocks,
//! one task for each; a block needs the last row of the one above and the last column of the one to
//! the left, and waits for the promises of both. So blocks on one diagonal are filled in parallel.

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
            // SAFETY: in bounds; all neighbours are in blocks that are filled, or in this one.
            let near = unsafe { [*t.at(k - W - 1), *t.at(k - W), *t.at(k - 1)] };
            let matched = if a[row] == b[column] { 2 } else { -1 };
            let score = (near[0] + matched).max(near[1] - 1).max(near[2] - 1).max(0);
            // SAFETY: the block is this task's own.
            unsafe { *t.at(k) = score }
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
                    if i > 0 {
                        filled[(i - 1) * BLOCKS + j].get();
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
    println!("the best alignment scores {}", table.iter().max().expect("it is not empty"));
    assert_eq!(table, serially(&a, &b));
}
