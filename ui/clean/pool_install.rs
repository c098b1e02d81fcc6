//! A pool of the program's own making: `install` runs the closure and comes back with its result,
//! and the pool's end is ordered after everything in it.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

fn main() {
    let mut values: Vec<u32> = (0..16).collect();
    let pool = ThreadPoolBuilder::new()
        .num_threads(2)
        .thread_name(|index| format!("worker {index}"))
        .build()
        .expect("a pool of two");
    let sum: u32 = pool.install(|| {
        values.par_iter_mut().for_each(|value| *value += 1);
        values.par_iter().sum()
    });
    drop(pool);
    values[0] = 7;
    assert_eq!(sum, 136);
}
