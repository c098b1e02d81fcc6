//! Tasks contribute to accumulators, one of them with an operator of the program's own.

use std::collections::BTreeSet;

use rosser::{Accumulator, Max, Operator, Sum, finish};

struct Union;

impl Operator<BTreeSet<u64>> for Union {
    fn combine(&self, total: &mut BTreeSet<u64>, mut value: BTreeSet<u64>) {
        total.append(&mut value);
    }
}

fn main() {
    let mut sum = Accumulator::new(Sum, 0_u64);
    let greatest = Accumulator::new(Max, 0);
    let remainders = Accumulator::new(Union, BTreeSet::new());
    for half in [0..50, 50..100] {
        finish(|s| {
            for number in half.clone() {
                let (sum, greatest, remainders) = (&sum, &greatest, &remainders);
                s.spawn(move |_| {
                    sum.accumulate(number);
                    greatest.accumulate(number * 37 % 101);
                    remainders.accumulate(BTreeSet::from([number % 7]));
                });
            }
        });
        assert_eq!(*sum.get(), (0..half.end).sum());
    }
    assert_eq!(greatest.into_inner(), 100);
    assert!(remainders.into_inner().into_iter().eq(0..7));
}
