//! Tasks that are started in the wrong order: each waits for the one after it, so all but the last
//! have to be suspended.

use rosser::{Promise, finish};
use shared::Shared;

const TASKS: usize = 200;

fn main() {
    let mut values = vec![0_u64; TASKS + 1];
    values[TASKS] = 1;
    let place = Shared::slice(&mut values);
    let done: Vec<Promise<()>> = (0..=TASKS).map(|_| Promise::new()).collect();
    finish(|s| {
        for i in 0..TASKS {
            let done = &done;
            s.spawn(move |_| {
                done[i + 1].get();
                // SAFETY: the next element has been written, and this one is the task's own.
                unsafe { *place.at(i) = *place.at(i + 1) + 1 }
                done[i].set(());
            });
        }
        done[TASKS].set(());
    });
    assert_eq!(values[0], TASKS as u64 + 1);
}
