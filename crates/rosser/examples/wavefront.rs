//! A million tasks, each of which waits for its left and its upper neighbour.
//!
//! `cargo run --release -p rosser --example wavefront [side]`

use std::time::Instant;

use rosser::{Promise, finish};

fn main() {
    let side: usize = std::env::args().nth(1).map_or(1000, |n| n.parse().expect("a number"));
    for order in ["forward", "backward"] {
        let cells: Vec<Promise<u64>> = (0..side * side).map(|_| Promise::new()).collect();
        let cells = &cells;
        let start = Instant::now();
        finish(|s| {
            for i in 0..side * side {
                let cell = if order == "forward" { i } else { side * side - 1 - i };
                s.spawn(move |_| {
                    let (row, column) = (cell / side, cell % side);
                    let left = if column == 0 { 1 } else { *cells[cell - 1].get() };
                    let upper = if row == 0 { 1 } else { *cells[cell - side].get() };
                    cells[cell].set(left.wrapping_add(upper));
                });
            }
        });
        let time = start.elapsed();
        let each = time.as_nanos() / (side * side) as u128;
        println!(
            "{side} x {side}, spawned {order}: {time:.2?}, {each} ns per task, corner {}, {}",
            cells[side * side - 1].get(),
            peak()
        );
    }
}

/// The most memory the process has had resident so far, and its page tables.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines =
        status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmPTE"));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}
