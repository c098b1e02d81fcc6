//! Smith and Waterman's alignment of two sequences, with gaps of any cost: each element of the table
//! depends on all to its left and all above it. The table is computed by blocks, each a future.
//!
//! A block creates the one to its right, after its own work, and hands it over as its value; so the
//! block below gets the one it has to wait for, and nobody gets a future twice.

use rosser::{Finish, Future, finish};

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

const MATCH: i32 = 5;
const MISMATCH: i32 = -3;

/// What a gap costs.
fn gap(len: usize) -> i32 {
    4 + len as i32
}

struct Job {
    /// Letters of each sequence.
    n: usize,
    /// Rows and columns of a block.
    block: usize,
    sequences: [Vec<u8>; 2],
    /// The scores, with a row and a column of zeros before them.
    table: Shared<i32>,
    racy: bool,
}

/// The block to the right, if there is one.
struct Link(Option<Future<Link>>);

/// Fills the table, and compares it with one that was made in a way that depends on the gaps' cost.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, block) = size.pick((40, 10), (768, 64), (2048, 64));
    let mut random = Random::new(33);
    let first: Vec<u8> = (0..n).map(|_| random.below(4) as u8).collect();
    // The other is a copy with some letters left out and some changed.
    let mut second = Vec::new();
    for &letter in first.iter().cycle() {
        match random.below(8) {
            0 => {}
            1 => second.push(random.below(4) as u8),
            _ => second.push(letter),
        }
        if second.len() == n {
            break;
        }
    }
    let mut table = vec![0; (n + 1) * (n + 1)];
    let shared = Shared::slice(&mut table);
    let job = &Job { n, block, sequences: [first, second], table: shared, racy };
    finish(|s| {
        let mut above = None;
        for i in 0..n / block {
            above = Some(s.spawn_future(move |s| fill(s, job, i, 0, above)));
        }
        while let Some(last) = above {
            above = last.get().0;
        }
    });
    ensure(table == job.reference(), "the scores are wrong")?;
    Ok(digest(table.iter().map(|&score| score as u64)))
}

/// Fills a block as soon as the one above is filled; the one to the left is.
fn fill<'scope>(
    s: &Finish<'scope>,
    job: &'scope Job,
    i: usize,
    j: usize,
    above: Option<Future<Link>>,
) -> Link {
    let next = if job.racy {
        // The bug: the block above is waited for too late.
        job.fill_block(i, j);
        above.and_then(|above| above.get().0)
    } else {
        let next = above.and_then(|above| above.get().0);
        job.fill_block(i, j);
        next
    };
    let more = (j + 1) * job.block < job.n;
    Link(more.then(|| s.spawn_future(move |s| fill(s, job, i, j + 1, next))))
}

impl Job {
    fn fill_block(&self, i: usize, j: usize) {
        for row in i * self.block + 1..=(i + 1) * self.block {
            for column in j * self.block + 1..=(j + 1) * self.block {
                self.fill_one(row, column);
            }
        }
    }

    fn fill_one(&self, row: usize, column: usize) {
        let place = |i: usize, j: usize| self.table.at(i * (self.n + 1) + j);
        let same = self.sequences[0][row - 1] == self.sequences[1][column - 1];
        // SAFETY: without the bug, all to the left and all above have been written; and nobody else
        // writes this one.
        unsafe {
            let before = *place(row - 1, column - 1); // race: the block above may not be filled yet
            let mut best = (before + if same { MATCH } else { MISMATCH }).max(0);
            for k in 0..row {
                best = best.max(*place(k, column) - gap(row - k)); // race: likewise
            }
            for k in 0..column {
                best = best.max(*place(row, k) - gap(column - k));
            }
            *place(row, column) = best; // race: see above
        }
    }

    /// Gotoh's way, for gaps whose cost is linear in their length.
    fn reference(&self) -> Vec<i32> {
        let width = self.n + 1;
        let mut table = vec![0; width * width];
        let (open, longer) = (gap(1), gap(2) - gap(1));
        let mut down = vec![i32::MIN / 2; width];
        for i in 1..width {
            let mut right = i32::MIN / 2;
            for j in 1..width {
                let at = i * width + j;
                down[j] = (down[j] - longer).max(table[at - width] - open);
                right = (right - longer).max(table[at - 1] - open);
                let same = self.sequences[0][i - 1] == self.sequences[1][j - 1];
                let both = table[at - width - 1] + if same { MATCH } else { MISMATCH };
                table[at] = both.max(down[j]).max(right).max(0);
            }
        }
        table
    }
}
