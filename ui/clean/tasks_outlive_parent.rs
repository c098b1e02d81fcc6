//! Tasks that outlive the task that started them, but not the finish.

use rosser::{Promise, finish};
use shared::Shared;

fn main() {
    let mut values = [0_u64; 8];
    let place = Shared::slice(&mut values);
    let parent_ended = Promise::new();
    finish(|s| {
        let parent = s.spawn_future(|s| {
            let parent_ended = &parent_ended;
            for i in 0..8 {
                s.spawn(move |_| {
                    parent_ended.get();
                    // SAFETY: the element is this task's own.
                    unsafe { *place.at(i) = i as u64 + 1 }
                });
            }
        });
        parent.get();
        parent_ended.set(());
    });
    assert_eq!(values.iter().sum::<u64>(), 36);
}
