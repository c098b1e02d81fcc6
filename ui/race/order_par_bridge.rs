//! `par_bridge` hands out the items of a serial iterator under a lock, to whichever task asks
//! first.
//@ bridge-note

use rayon::prelude::*;

fn main() {
    let items: Vec<u32> = (0..16).collect();
    let bridge = items.iter().par_bridge();
    let sum: u32 = bridge.sum(); //~ order 1
    assert_eq!(sum, 120);
}
