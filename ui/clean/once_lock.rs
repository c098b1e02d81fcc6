//! A `OnceLock` filled by whichever task comes first: the value is the same in every schedule, and
//! so are the elements behind it.

use std::sync::OnceLock;

use rayon::prelude::*;

static TABLE: OnceLock<Vec<u32>> = OnceLock::new();

fn table() -> &'static [u32] {
    TABLE.get_or_init(|| {
        let mut table = vec![0; 8];
        for (index, entry) in (0..).zip(&mut table) {
            *entry = index * index;
        }
        table
    })
}

fn main() {
    let local = OnceLock::new();
    let sum: u32 = (0..8_usize)
        .into_par_iter()
        .map(|index| table()[index] + local.get_or_init(|| 1_u32))
        .sum();
    assert_eq!(sum, 148);
}
