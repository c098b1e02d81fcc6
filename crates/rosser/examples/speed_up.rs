//! What a second worker is worth: coarse tasks on one and on two workers.
//!
//! `cargo run --release -p rosser --example speed_up`

use std::time::{Duration, Instant};

use rayon_core::ThreadPoolBuilder;
use rosser::{Accumulator, Sum, finish};

fn main() {
    let times: Vec<Duration> = [1, 2].into_iter().map(best_with).collect();
    println!("1 worker {:.0?}, 2 workers {:.0?}", times[0], times[1]);
    println!("speed-up {:.2}", times[0].as_secs_f64() / times[1].as_secs_f64());
}

fn best_with(workers: usize) -> Duration {
    let pool = ThreadPoolBuilder::new().num_threads(workers).build().expect("a pool");
    let time = |_| {
        let start = Instant::now();
        pool.install(primes);
        start.elapsed()
    };
    (0..5).map(time).min().expect("five")
}

fn primes() -> u64 {
    let count = Accumulator::new(Sum, 0_u64);
    finish(|s| {
        for block in 0..200_u64 {
            let count = &count;
            s.spawn(move |_| {
                let block = block * 10_000..(block + 1) * 10_000;
                count.accumulate(block.filter(|&n| is_prime(n)).count() as u64);
            });
        }
    });
    count.into_inner()
}

fn is_prime(n: u64) -> bool {
    n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}
