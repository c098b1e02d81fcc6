//! A task waits at the end of a finish for tasks that wait for promises, which a later sibling
//! sets: whole parts of the tree have to be put aside.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let (mut questions, mut answers) = ([0_u64; 4], [0_u64; 2]);
    let (question, answer) = (Shared::slice(&mut questions), Shared::slice(&mut answers));
    let asked: [Promise<()>; 4] = [(); 4].map(|()| Promise::new());
    finish(|s| {
        let asked = &asked;
        for pair in 0..2 {
            s.spawn(move |_| {
                finish(|s| {
                    for at in [2 * pair, 2 * pair + 1] {
                        s.spawn(move |_| {
                            asked[at].get();
                            // SAFETY: whoever asked is through with it.
                            unsafe { *question.at(at) *= 2 }
                        });
                    }
                });
                // SAFETY: both have been doubled, and the answer is this task's own.
                let sum = unsafe { *question.at(2 * pair) + *question.at(2 * pair + 1) };
                // SAFETY: as above.
                unsafe { *answer.at(pair) = sum }
            });
        }
        s.spawn(move |_| {
            for at in (0..4).rev() {
                // SAFETY: nobody else touches it before the promise is set.
                unsafe { *question.at(at) = at as u64 + 1 }
                asked[at].set(());
            }
        });
    });
    assert_eq!(answers, [6, 14]);
}
