//! A static `LazyLock` whose first use is in parallel tasks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;

static NAMES: LazyLock<BTreeMap<u32, String>> =
    LazyLock::new(|| (0..8).map(|number| (number, format!("number {number}"))).collect());

fn main() {
    let length: usize = (0..8_u32).into_par_iter().map(|number| NAMES[&number].len()).sum();
    assert_eq!(length, 64);
}
