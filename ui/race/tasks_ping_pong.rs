//! Two tasks take turns, with a pair of promises for each round. One of them passes the ball on
//! before it has let go of it.

use rosser::{Promise, finish};
use shared::Shared;

const ROUNDS: usize = 4;

fn main() {
    let mut number = 1_u64;
    let ball = Shared::new(&mut number);
    let [passed, returned] = [(); 2].map(|()| [(); ROUNDS].map(|()| Promise::new()));
    finish(|s| {
        s.spawn(|_| {
            for round in 0..ROUNDS {
                passed[round].set(());
                // SAFETY: `number` outlives the finish; the conflict is what is tested.
                unsafe { *ball.get() += 1 } //~ race 1
                returned[round].get();
            }
        });
        s.spawn(|_| {
            for round in 0..ROUNDS {
                passed[round].get();
                // SAFETY: as above.
                unsafe { *ball.get() *= 2 } //~ race 1
                returned[round].set(());
            }
        });
    });
    assert!(number > 0);
}
