//! Rayon's operations in tasks, and tasks in a part of rayon's `join`.

use rayon::prelude::*;
use rosser::{Promise, finish};

fn main() {
    let mut squares = vec![0_u64; 16];
    let total = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            squares.par_iter_mut().enumerate().for_each(|(i, square)| *square = (i * i) as u64);
            total.set(squares.par_iter().sum::<u64>());
        });
        assert_eq!(*total.get(), 1240);
    });
    let (left, right) = rayon::join(
        || {
            finish(|s| {
                let half = s.spawn_future(|_| squares[..8].iter().sum::<u64>());
                half.get()
            })
        },
        || squares[8..].iter().sum::<u64>(),
    );
    assert_eq!(left + right, 1240);
}
