//! A program without races that fails: its own exit code comes through.
//@ exit: 3

use rayon::prelude::*;

fn main() {
    let sum: u32 = (0..8_u32).into_par_iter().sum();
    std::process::exit(i32::from(sum == 28) * 3);
}
