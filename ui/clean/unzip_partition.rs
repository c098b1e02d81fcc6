//! One iterator into two or more collections.

use std::collections::{BTreeSet, HashMap};

use rayon::iter::Either;
use rayon::prelude::*;

fn main() {
    let items = || (0..16_u32).into_par_iter();
    let (left, right): (Vec<u32>, Vec<String>) =
        items().map(|item| (item, item.to_string())).unzip();
    assert_eq!((left[3], right[3].as_str()), (3, "3"));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    items().map(|item| (item, item * 2)).unzip_into_vecs(&mut left, &mut right);
    assert_eq!((left[15], right[15]), (15, 30));
    let (even, odd): (Vec<u32>, BTreeSet<u32>) = items().partition_map(|item| match item % 2 {
        0 => Either::Left(item),
        _ => Either::Right(item),
    });
    assert_eq!((even.len(), odd.len()), (8, 8));
    let (small, large): (Vec<u32>, Vec<u32>) = items().partition(|item| *item < 4);
    assert_eq!((small.len(), large.len()), (4, 12));
    let (sums, map): (Vec<u32>, HashMap<u32, u32>) = items().map(|i| (i, (i, i))).unzip();
    assert_eq!((sums.len(), map.len()), (16, 16));
}
