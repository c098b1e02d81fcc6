//! The cost of a spawn: Fibonacci numbers with a cut-off, beside rayon's `join`.
//!
//! `cargo run --release -p rosser --example fib [n]`

use std::time::{Duration, Instant};

use rosser::{finish, procedure};

fn main() {
    let n = std::env::args().nth(1).map_or(35, |n| n.parse().expect("a number"));
    let workers = rayon_core::current_num_threads();
    println!("fib({n}), {workers} workers, best of 5");
    println!(
        "{:>8}{:>10}{:>14}{:>14}{:>14}",
        "cut-off", "spawns", "rayon join", "future", "procedure"
    );
    for cut_off in [25, 20, 15, 12, 10] {
        let join = best(|| with_join(n, cut_off));
        let future = best(|| with_future(n, cut_off));
        let spawn = best(|| procedure(|_| with_procedure(n, cut_off)));
        let spawns = spawns(n, cut_off);
        println!("{cut_off:>8}{spawns:>10}{join:>14.1?}{future:>14.1?}{spawn:>14.1?}");
    }
}

fn best(run: impl Fn() -> u64) -> Duration {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed()
    };
    (0..5).map(time).min().expect("five")
}

fn serial(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { serial(n - 1) + serial(n - 2) }
}

fn spawns(n: u32, cut_off: u32) -> u64 {
    if n <= cut_off { 0 } else { 1 + spawns(n - 1, cut_off) + spawns(n - 2, cut_off) }
}

fn with_join(n: u32, cut_off: u32) -> u64 {
    if n <= cut_off {
        return serial(n);
    }
    let (left, right) =
        rayon_core::join(|| with_join(n - 1, cut_off), || with_join(n - 2, cut_off));
    left + right
}

fn with_future(n: u32, cut_off: u32) -> u64 {
    if n <= cut_off {
        return serial(n);
    }
    finish(|s| {
        let right = s.spawn_future(move |_| with_future(n - 2, cut_off));
        let left = with_future(n - 1, cut_off);
        left + right.get()
    })
}

fn with_procedure(n: u32, cut_off: u32) -> u64 {
    if n <= cut_off {
        return serial(n);
    }
    procedure(|p| {
        let right = p.spawn(move |_| with_procedure(n - 2, cut_off));
        let left = with_procedure(n - 1, cut_off);
        p.sync();
        left + right.take()
    })
}
