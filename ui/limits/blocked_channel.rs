//! A task waits for a message that its later sibling sends. In serial order the sibling has not
//! run, so the run cannot go on: it is stopped and said to be blocked, never left hanging.
//@ stopped: blocked

use std::sync::mpsc::channel;

fn main() {
    let (sender, receiver) = channel();
    rayon::scope(|scope| {
        scope.spawn(move |_| {
            let message: u32 = receiver.recv().expect("the sender is alive");
            assert_eq!(message, 7);
        });
        scope.spawn(move |_| sender.send(7).expect("the receiver is alive"));
    });
}
