//! Two tasks take turns, with a pair of promises for each round. One adds, the other doubles; they
//! are never joined in between, and yet every access to the ball is ordered with every other.

use rosser::{Promise, finish};
use shared::Shared;

const ROUNDS: usize = 10;

fn main() {
    let mut number = 0_u64;
    let ball = Shared::new(&mut number);
    let [passed, returned] = [(); 2].map(|()| [(); ROUNDS].map(|()| Promise::new()));
    finish(|s| {
        s.spawn(|_| {
            for round in 0..ROUNDS {
                // SAFETY: the other task has given it back.
                unsafe { *ball.get() += 1 }
                passed[round].set(());
                returned[round].get();
            }
        });
        s.spawn(|_| {
            for round in 0..ROUNDS {
                passed[round].get();
                // SAFETY: the other task has passed it on.
                unsafe { *ball.get() *= 2 }
                returned[round].set(());
            }
        });
    });
    assert_eq!(number, 2046);
}
