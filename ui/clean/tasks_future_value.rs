//! A future's value is moved to whoever gets it: from the task that made it through another that
//! changes it to main, without a copy.

use rosser::finish;

fn main() {
    let numbers = finish(|s| {
        let made = s.spawn_future(|_| (0..100_u64).collect::<Vec<_>>());
        let changed = s.spawn_future(move |_| {
            let mut numbers = made.get();
            numbers.reverse();
            numbers
        });
        let mut numbers = changed.get();
        numbers.push(0);
        numbers
    });
    assert!(numbers.into_iter().eq((0..100).rev().chain([0])));
}
