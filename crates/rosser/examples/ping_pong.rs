//! The cost of a wake-up: two tasks that hand a value back and forth through promises.
//!
//! `cargo run --release -p rosser --example ping_pong [rounds]`

use std::sync::Barrier;
use std::time::{Duration, Instant};

use rayon_core::ThreadPoolBuilder;
use rosser::{Promise, finish};

fn main() {
    let rounds = std::env::args().nth(1).map_or(200_000, |n| n.parse().expect("a number"));
    for workers in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(workers).build().expect("a pool");
        // A round is two sets and two waits. The tasks meet first, each on a worker of its own.
        let time = pool.install(|| play(rounds, &Barrier::new(workers)));
        println!("{workers} workers: {} ns per round", time.as_nanos() / u128::from(rounds));
    }
}

fn play(rounds: u32, meeting: &Barrier) -> Duration {
    let there: Vec<Promise<u32>> = (0..rounds).map(|_| Promise::new()).collect();
    let back: Vec<Promise<u32>> = (0..rounds).map(|_| Promise::new()).collect();
    let start = Instant::now();
    finish(|s| {
        s.spawn(|_| {
            meeting.wait();
            for (there, back) in there.iter().zip(&back) {
                there.set(1);
                assert_eq!(*back.get(), 2);
            }
        });
        s.spawn(|_| {
            meeting.wait();
            for (there, back) in there.iter().zip(&back) {
                back.set(there.get() + 1);
            }
        });
    });
    start.elapsed()
}
