//! Merge sort in four parts, with merges that are divided, too.

use rayon::join;

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// What is no longer than this is sorted serially.
const SORT: usize = 256;
/// What is no longer than this is merged serially.
const MERGE: usize = 512;

/// Sorts a permutation.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n: u32 = size.pick(3000, 2_000_000, 4_000_000);
    let mut values: Vec<u32> = (0..n).collect();
    let mut random = Random::new(3);
    for i in (1..values.len()).rev() {
        values.swap(i, random.below(i as u64 + 1) as usize);
    }
    let mut space = vec![0; values.len()];
    sort(&mut values, &mut space, racy);
    ensure(values.iter().copied().eq(0..n), "it is not sorted")?;
    Ok(digest(values.iter().map(|&value| u64::from(value))))
}

/// Sorts `values`, with `space` of the same length.
fn sort(values: &mut [u32], space: &mut [u32], racy: bool) {
    if values.len() <= SORT {
        return insertion_sort(values);
    }
    let quarter = values.len() / 4;
    let (left, right) = values.split_at_mut(2 * quarter);
    let (left_space, right_space) = space.split_at_mut(2 * quarter);
    let pair = |values: &mut [u32], space: &mut [u32]| {
        let (all, all_space) = (Shared::slice(values), Shared::slice(space));
        let (a, b) = values.split_at_mut(quarter);
        let (a_space, b_space) = space.split_at_mut(quarter);
        if racy {
            join(
                || sort(b, b_space, racy),
                || {
                    sort(a, a_space, racy);
                    // SAFETY: there is none. `b` is still being sorted, in its space.
                    let (values, space) = unsafe { (all.as_slice(), all_space.as_mut_slice()) };
                    merge(&values[..quarter], &values[quarter..], space);
                },
            );
        } else {
            join(|| sort(a, a_space, racy), || sort(b, b_space, racy));
            merge(a, b, space);
        }
    };
    join(|| pair(left, left_space), || pair(right, right_space));
    merge(left_space, right_space, values);
}

/// Merges `a` and `b` into `out`, which has room for both: the longer one is halved, and the other
/// where the same values are.
fn merge(a: &[u32], b: &[u32], out: &mut [u32]) {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if out.len() <= MERGE || short.is_empty() {
        return merge_serially(a, b, out);
    }
    let middle = long.len() / 2;
    let pivot = long[middle]; // race: see `merge_serially`
    let at = short.partition_point(|value| *value < pivot); // race: see `merge_serially`
    let (low, high) = out.split_at_mut(middle + at);
    join(
        || merge(&long[..middle], &short[..at], low),
        || merge(&long[middle..], &short[at..], high),
    );
}

fn merge_serially(a: &[u32], b: &[u32], out: &mut [u32]) {
    let (mut i, mut j) = (0, 0);
    for out in out {
        let from_a = j == b.len() || i < a.len() && a[i] <= b[j]; // race: `b` may not be sorted yet
        *out = if from_a { a[i] } else { b[j] }; // race: likewise, and it may still use `out`
        if from_a {
            i += 1;
        } else {
            j += 1;
        }
    }
}

fn insertion_sort(values: &mut [u32]) {
    for i in 1..values.len() {
        let value = values[i]; // race: see `merge_serially`
        let mut at = i;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1]; // race: see `merge_serially`
            at -= 1;
        }
        values[at] = value; // race: see `merge_serially`
    }
}
