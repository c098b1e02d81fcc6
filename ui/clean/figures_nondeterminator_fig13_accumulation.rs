//! Feng and Leiserson 1997, Figure 13: two accumulations with the same operator commute.

use rosser::{Accumulator, Sum, procedure};

fn main() {
    let x = Accumulator::new(Sum, 0);
    procedure(|p| {
        p.spawn(|_| x.accumulate(2));
        p.spawn(|_| x.accumulate(3));
        p.sync();
    });
    assert_eq!(x.into_inner(), 5);
}
