//! Merge sort: one half is a future, and so is one part of each merge.

use rosser::finish;

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Sorts random numbers.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, cut_off) = size.pick((2000, 128), (2_000_000, 8192), (10_000_000, 8192));
    let mut random = Random::new(32);
    let mut values: Vec<u32> = (0..n).map(|_| random.next() as u32).collect();
    let sum = |values: &[u32]| values.iter().map(|&value| u64::from(value)).sum::<u64>();
    let before = sum(&values);
    let mut space = vec![0; n];
    let job = Job { cut_off, racy };
    job.sort(Shared::slice(&mut values), Shared::slice(&mut space), false);
    ensure(values.is_sorted(), "it is not sorted")?;
    ensure(sum(&values) == before, "it has other values")?;
    Ok(digest(values.iter().map(|&value| u64::from(value))))
}

#[derive(Clone, Copy)]
struct Job {
    /// What is no longer than this is sorted and merged serially.
    cut_off: usize,
    racy: bool,
}

impl Job {
    /// Sorts `values`; what is sorted is in `space` in the end, or in place.
    fn sort(self, values: Shared<u32>, space: Shared<u32>, into_space: bool) {
        let n = values.len();
        if n <= self.cut_off {
            // SAFETY: they are this task's own.
            let (values, space) = unsafe { (values.as_mut_slice(), space.as_mut_slice()) };
            sort_serially(values);
            if into_space {
                space.copy_from_slice(values); // race: see `merge_serially`
            }
            return;
        }
        let middle = n / 2;
        finish(|s| {
            let left = s.spawn_future(move |_| {
                self.sort(values.part(0..middle), space.part(0..middle), !into_space);
            });
            self.sort(values.part(middle..n), space.part(middle..n), !into_space);
            // The bug: the left half is not waited for.
            if !self.racy {
                left.get();
            }
            let (from, to) = if into_space { (values, space) } else { (space, values) };
            self.merge(from.part(0..middle), from.part(middle..n), to);
        });
    }

    /// Merges `a` and `b` into `out`: the longer one is halved, and the other where the same values
    /// are.
    fn merge(self, a: Shared<u32>, b: Shared<u32>, out: Shared<u32>) {
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        if out.len() <= self.cut_off || short.len() == 0 {
            // SAFETY: without the bug, nobody writes `a` and `b` any more, and nobody else has `out`.
            let (a, b, out) = unsafe { (a.as_slice(), b.as_slice(), out.as_mut_slice()) };
            return merge_serially(a, b, out);
        }
        let middle = long.len() / 2;
        // SAFETY: as above.
        let pivot = unsafe { *long.at(middle) }; // race: see `merge_serially`
        // SAFETY: as above.
        let sorted = unsafe { short.as_slice() };
        let at = sorted.partition_point(|value| *value < pivot); // race: see `merge_serially`
        finish(|s| {
            let (long_low, short_low) = (long.part(0..middle), short.part(0..at));
            let out_low = out.part(0..middle + at);
            let low = s.spawn_future(move |_| self.merge(long_low, short_low, out_low));
            self.merge(
                long.part(middle..long.len()),
                short.part(at..short.len()),
                out.part(middle + at..out.len()),
            );
            low.get();
        });
    }
}

fn merge_serially(a: &[u32], b: &[u32], out: &mut [u32]) {
    let (mut i, mut j) = (0, 0);
    for out in out {
        let from_a = j == b.len() || i < a.len() && a[i] <= b[j]; // race: `a` may not be sorted yet
        *out = if from_a { a[i] } else { b[j] }; // race: likewise, and `out` be in use
        if from_a {
            i += 1;
        } else {
            j += 1;
        }
    }
}

/// Shell's sort.
fn sort_serially(values: &mut [u32]) {
    const GAPS: [usize; 10] = [4000, 1750, 701, 301, 132, 57, 23, 10, 4, 1];
    for gap in GAPS {
        for i in gap..values.len() {
            let value = values[i]; // race: see `merge_serially`
            let mut at = i;
            while at >= gap {
                let before = values[at - gap]; // race: see `merge_serially`
                if before <= value {
                    break;
                }
                values[at] = before; // race: see `merge_serially`
                at -= gap;
            }
            values[at] = value; // race: see `merge_serially`
        }
    }
}
