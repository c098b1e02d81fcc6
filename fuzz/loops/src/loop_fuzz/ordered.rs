//! Loops whose accesses are ordered with all others by what is between them: a check that came too late would find
//! a conflict where there is none.

use std::hint::black_box;

use crate::Bytes;
use crate::shapes::Numbers;

/// A loop that has no conflicts.
pub struct Ordered {
    pub name: &'static str,
    pub run: fn(Bytes, Numbers),
}

/// All of them.
pub const ALL: [Ordered; 4] = [
    Ordered { name: "hands over", run: hands_over },
    Ordered { name: "hands rows over", run: hands_rows_over },
    Ordered { name: "takes back", run: takes_back },
    Ordered { name: "frees", run: frees },
];

/// Each element is written before a task is begun that reads it.
#[inline(never)]
fn hands_over(bytes: Bytes, n: Numbers) {
    // SAFETY: tasks only read what has been written before they begin.
    let numbers = unsafe { bytes.array::<u64>(0) };
    rayon_core::scope(|s| {
        for i in 0..n.to.min(numbers.len()) {
            numbers[i] = i as u64;
            let number = Bytes((&raw mut numbers[i]).cast());
            s.spawn(move |_| number.look());
        }
    });
}

/// A row is written by a loop of its own before a task is begun that reads all of it.
#[inline(never)]
fn hands_rows_over(bytes: Bytes, n: Numbers) {
    let columns = n.columns.max(1);
    // SAFETY: as above.
    let numbers = unsafe { bytes.array::<u64>(0) };
    rayon_core::scope(|s| {
        for row in numbers.chunks_exact_mut(columns).take(n.rows) {
            for number in &mut *row {
                *number = n.key;
            }
            let row = Bytes(row.as_mut_ptr().cast());
            s.spawn(move |_| (0..columns).for_each(|i| row.further(8 * i).look()));
        }
    });
}

/// Each element is written by a task that has ended when it is read.
#[inline(never)]
fn takes_back(bytes: Bytes, n: Numbers) {
    let mut sum = 0;
    for i in 0..n.to.min(crate::LEN) {
        let number = bytes.further(8 * i);
        rayon_core::join(|| number.change(), || ());
        // SAFETY: the task that has written it is over.
        sum += u64::from(unsafe { number.0.read() });
    }
    black_box(sum);
}

/// Blocks are filled and freed by parallel tasks, which get each other's.
#[inline(never)]
fn frees(_: Bytes, n: Numbers) {
    let fill_some = || {
        for i in n.from..n.to {
            let mut block = vec![0_u64; n.columns];
            for number in &mut block {
                *number += i as u64;
            }
            drop(black_box(block));
        }
    };
    rayon_core::join(fill_some, fill_some);
}
