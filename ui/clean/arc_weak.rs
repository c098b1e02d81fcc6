//! Parallel tasks upgrade and downgrade while the owner keeps the value alive.

use std::sync::{Arc, Weak};

use rayon::prelude::*;

fn main() {
    let value = Arc::new(7_u32);
    let weak = Arc::downgrade(&value);
    let sum: u32 = (0..8).into_par_iter().map(|_| weak.upgrade().map_or(0, |value| *value)).sum();
    assert_eq!(sum, 56);
    let links: Vec<Weak<u32>> = (0..8).into_par_iter().map(|_| Arc::downgrade(&value)).collect();
    assert!(links.par_iter().all(|link| link.upgrade().is_some()));
}
