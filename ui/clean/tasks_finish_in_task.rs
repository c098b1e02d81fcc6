//! A finish within a task waits for what was started in it, so the task can go on with the results.

use rosser::finish;
use shared::Shared;

fn main() {
    let mut rows = [[0_u64; 4]; 4];
    let mut sums = [0_u64; 4];
    let (row, sum) = (Shared::slice(&mut rows), Shared::slice(&mut sums));
    finish(|s| {
        for i in 0..4 {
            s.spawn(move |_| {
                finish(|s| {
                    for j in 0..4 {
                        s.spawn(move |_| {
                            // SAFETY: the element is this task's own.
                            unsafe { (*row.at(i))[j] = (i * j) as u64 }
                        });
                    }
                });
                // SAFETY: the row is complete, and the sum is this task's own.
                unsafe { *sum.at(i) = (*row.at(i)).iter().sum() }
            });
        }
    });
    assert_eq!(sums, [0, 6, 12, 18]);
}
