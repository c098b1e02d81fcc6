//! Pancakes: how often the top of a permutation has to be turned until its first element is the
//! least. All permutations are tried, in pieces.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::check::{Outcome, digest, ensure};
use crate::shared::Shared;
use crate::size::Size;

/// The longest permutations.
const MOST: usize = 12;

/// A sum over all permutations with alternating signs, and the most turns of any.
#[derive(Clone, Copy, Default)]
struct Result {
    checksum: i64,
    turns: i64,
}

impl Result {
    fn merge(self, other: Self) -> Self {
        Self { checksum: self.checksum + other.checksum, turns: self.turns.max(other.turns) }
    }
}

/// Compares with the known results.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, known) = size.pick((6, (49, 10)), (10, (73_196, 38)), (11, (556_355, 51)));
    let all: usize = (1..=n).product();
    let piece: usize = (1..=n / 2).product();
    let result = if racy {
        shared_result(n, all, piece)
    } else {
        (0..all / piece)
            .into_par_iter()
            .map(|i| try_piece(n, i * piece, piece))
            .reduce(Result::default, Result::merge)
    };
    ensure((result.checksum, result.turns) == known, "the result is not the known one")?;
    Ok(digest([result.checksum as u64, result.turns as u64]))
}

/// The bug: all pieces are merged into the same result.
fn shared_result(n: usize, all: usize, piece: usize) -> Result {
    let mut result = Result::default();
    let shared = Shared::one(&mut result);
    (0..all / piece).into_par_iter().for_each(|i| {
        let found = try_piece(n, i * piece, piece);
        // SAFETY: there is none. Others merge, too.
        let result = unsafe { &mut *shared.get() };
        *result = result.merge(found); // race: another result may get lost
    });
    result
}

/// Tries some permutations, from one with a given number on.
fn try_piece(n: usize, first: usize, len: usize) -> Result {
    let mut result = Result::default();
    let (mut permutation, mut counts) = numbered(n, first);
    for number in first..first + len {
        let turns = turns(permutation);
        result.turns = result.turns.max(turns);
        result.checksum += if number % 2 == 0 { turns } else { -turns };
        advance(n, &mut permutation, &mut counts);
    }
    result
}

/// The permutation with a number, and how often each of its beginnings has been rotated.
fn numbered(n: usize, mut number: usize) -> ([u8; MOST], [usize; MOST]) {
    let mut permutation = [0; MOST];
    for (i, element) in (0..).zip(&mut permutation[..n]) {
        *element = i;
    }
    let mut counts = [0; MOST];
    let mut factorial: usize = (1..n).product();
    for i in (1..n).rev() {
        counts[i] = number / factorial;
        number %= factorial;
        factorial /= i;
        permutation[..=i].rotate_left(counts[i]);
    }
    (permutation, counts)
}

fn advance(n: usize, permutation: &mut [u8; MOST], counts: &mut [usize; MOST]) {
    for i in 1..n {
        permutation[..=i].rotate_left(1);
        if counts[i] < i {
            counts[i] += 1;
            return;
        }
        counts[i] = 0;
    }
}

fn turns(mut permutation: [u8; MOST]) -> i64 {
    let mut turns = 0;
    while permutation[0] != 0 {
        let top = usize::from(permutation[0]);
        permutation[..=top].reverse();
        turns += 1;
    }
    turns
}
