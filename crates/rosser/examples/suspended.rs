//! A million tasks, all of them blocked at the same time: memory.
//!
//! `cargo run --release -p rosser --example suspended [tasks]`

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use rosser::{Promise, finish};

fn main() {
    let tasks: usize = std::env::args().nth(1).map_or(1_000_000, |n| n.parse().expect("a number"));
    let gate = Promise::<u64>::new();
    let begun = AtomicUsize::new(0);
    let all_begun = Promise::<()>::new();
    let before = [resident("VmRSS"), resident("VmPTE")];
    let start = Instant::now();
    finish(|s| {
        for _ in 0..tasks {
            s.spawn(|_| {
                if begun.fetch_add(1, Relaxed) + 1 == tasks {
                    all_begun.set(());
                }
                gate.get();
            });
        }
        all_begun.get();
        let after = [resident("VmRSS"), resident("VmPTE")];
        println!("{tasks} tasks begun and blocked in {:.2?}", start.elapsed());
        for (name, (after, before)) in
            ["resident", "page tables"].iter().zip(after.iter().zip(before))
        {
            println!(
                "{name}: {} MiB, {} bytes per task",
                after >> 10,
                (after - before) * 1024 / tasks
            );
        }
        let maps =
            std::fs::read_to_string("/proc/self/maps").map_or(0, |maps| maps.lines().count());
        println!("mappings: {maps}");
        gate.set(1);
    });
    println!("all ended after {:.2?}; resident: {} MiB", start.elapsed(), resident("VmRSS") >> 10);
}

/// A line of `/proc/self/status`, in KiB.
fn resident(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
