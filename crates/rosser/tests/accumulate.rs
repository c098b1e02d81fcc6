//! Accumulators.

use std::collections::BTreeMap;

use rosser::{Accumulator, And, Max, Min, Operator, Or, Product, Sum, Xor, finish};

#[test]
fn the_operators_do_what_they_say() {
    fn all<Op: Operator<u64> + Sync>(operator: Op, initial: u64, values: &[u64]) -> u64 {
        let total = Accumulator::new(operator, initial);
        finish(|s| {
            for &value in values {
                let total = &total;
                s.spawn(move |_| total.accumulate(value));
            }
        });
        total.into_inner()
    }
    let values: Vec<u64> = (1..=20).collect();
    assert_eq!(all(Sum, 0, &values), 210);
    assert_eq!(all(Product, 1, &values), 2_432_902_008_176_640_000);
    assert_eq!(all(Min, 100, &values), 1);
    assert_eq!(all(Max, 0, &values), 20);
    assert_eq!(all(And, u64::MAX, &values), 0);
    assert_eq!(all(Or, 0, &values), 31);
    assert_eq!(all(Xor, 0, &values), values.iter().fold(0, |a, b| a ^ b));
}

#[test]
fn an_operator_may_use_its_own_accumulator() {
    /// Counts words; a contribution is made while another is being combined.
    struct Words<'a>(&'a Accumulator<u64, Sum>);
    impl Operator<BTreeMap<String, u64>> for Words<'_> {
        fn combine(&self, total: &mut BTreeMap<String, u64>, value: BTreeMap<String, u64>) {
            for (word, count) in value {
                self.0.accumulate(count);
                *total.entry(word).or_default() += count;
            }
        }
    }
    let combined = Accumulator::new(Sum, 0);
    let words = Accumulator::new(Words(&combined), BTreeMap::new());
    finish(|s| {
        for i in 0..100 {
            let words = &words;
            s.spawn(move |_| words.accumulate(BTreeMap::from([(format!("w{}", i % 7), 1)])));
        }
    });
    let words = words.into_inner();
    assert_eq!(words.values().sum::<u64>(), 100);
    assert_eq!(words.len(), 7);
}

#[test]
fn a_panicking_operator_loses_only_its_contribution() {
    struct Picky;
    impl Operator<u32> for Picky {
        fn combine(&self, total: &mut u32, value: u32) {
            assert!(value != 13, "unlucky");
            *total += value;
        }
    }
    let total = Accumulator::new(Picky, 0);
    total.accumulate(1);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| total.accumulate(13))).unwrap_err();
    total.accumulate(2);
    assert_eq!(total.into_inner(), 3);
}
