//! Sums, products, counts and extremes.

use rayon::prelude::*;

fn main() {
    let items: Vec<i32> = (1..=10).collect();
    assert_eq!(items.par_iter().sum::<i32>(), 55);
    assert_eq!(items.par_iter().product::<i32>(), 3_628_800);
    assert_eq!(items.par_iter().count(), 10);
    assert_eq!(items.par_iter().min(), Some(&1));
    assert_eq!(items.par_iter().max(), Some(&10));
    assert_eq!(items.par_iter().min_by(|a, b| (*a % 4).cmp(&(*b % 4))), Some(&4));
    assert_eq!(items.par_iter().max_by_key(|item| (*item % 4, -*item)), Some(&3));
    let option: Option<i32> = items.par_iter().map(|item| item.checked_mul(2)).sum();
    assert_eq!(option, Some(110));
    let halves: f64 = items.par_iter().map(|&item| f64::from(item) / 2.0).sum();
    assert!((halves - 27.5).abs() < 1e-9);
    assert!(items.par_iter().eq(&items) && !items.par_iter().lt(&items));
}
