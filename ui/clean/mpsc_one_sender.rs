//! One task sends, and the caller receives after the region: the messages come in the task's
//! order.

use std::sync::mpsc::channel;

fn main() {
    let (sender, receiver) = channel();
    rayon::join(
        move || {
            for item in 0..40_u32 {
                sender.send(item).expect("the receiver is alive");
            }
        },
        || (0..4).sum::<i32>(),
    );
    assert!(receiver.into_iter().eq(0..40));
}
