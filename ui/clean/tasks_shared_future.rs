//! A shared future that fills a table, got by two tasks that read it.

use rosser::finish;
use shared::Shared;

fn main() {
    let (mut table, mut sums) = ([0_u64; 4], [0_u64; 2]);
    let (entry, sum) = (Shared::slice(&mut table), Shared::slice(&mut sums));
    finish(|s| {
        let filled = s.spawn_future(|_| {
            for i in 0..4 {
                // SAFETY: nobody else touches the table before the future is got.
                unsafe { *entry.at(i) = i as u64 + 1 }
            }
        });
        let filled = filled.share();
        for task in 0..2 {
            let filled = filled.clone();
            s.spawn(move |_| {
                filled.get();
                for i in 0..4 {
                    // SAFETY: the table is filled, and the sum is this task's own.
                    unsafe { *sum.at(task) += *entry.at(i) }
                }
            });
        }
    });
    assert_eq!(sums, [10, 10]);
}
