//! Tasks clone and drop an `Arc` that the caller keeps: its counts are sums, which commute.

use std::sync::{Arc, Weak};

use rayon::prelude::*;

fn main() {
    let value = Arc::new(vec![1_u32, 2, 3]);
    let weak: Weak<Vec<u32>> = Arc::downgrade(&value);
    let sum: u32 = (0..16)
        .into_par_iter()
        .map(|_| {
            let own = Arc::clone(&value);
            let weak = weak.clone();
            drop(weak);
            own[0]
        })
        .sum();
    assert_eq!(sum, 16);
    assert_eq!(Arc::strong_count(&value), 1);
}
