//! Panics cross joins at several levels and are caught. What the closures wrote before is ordered
//! with what follows.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

fn count(values: &mut [u32], bad: u32) {
    if let [value] = values {
        if *value == bad {
            resume_unwind(Box::new(bad));
        }
        *value += 100;
        return;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    rayon::join(|| count(left, bad), || count(right, bad));
}

fn main() {
    let mut values: Vec<u32> = (0..16).collect();
    for bad in [5, 200, 0] {
        let outcome = catch_unwind(AssertUnwindSafe(|| count(&mut values, bad)));
        assert_eq!(outcome.is_err(), bad == 5);
        values[5] = 5;
    }
    assert_eq!(values[0], 300);
}
