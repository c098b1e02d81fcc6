//! A join inside a join, 100,000 deep on one side: room on the stack and in the checker's own
//! structures.
//@ whole

use rayon::ThreadPoolBuilder;

const DEPTH: u32 = 100_000;

fn descend(depth: u32, value: &mut u32) {
    if depth > 0 {
        let mut other = 0;
        rayon::join(|| descend(depth - 1, value), || other = 1);
        *value += other;
    }
}

fn main() {
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .stack_size(2 << 30)
        .build()
        .expect("a pool with a deep stack");
    let mut value = 0;
    pool.install(|| descend(DEPTH, &mut value));
    assert_eq!(value, DEPTH);
}
