//! The same with a crossbeam channel, whose waiting is not std's.
//@ stopped: blocked

use crossbeam::channel::unbounded;

fn main() {
    let (sender, receiver) = unbounded();
    rayon::join(
        || {
            let message: u32 = receiver.recv().expect("the sender is alive");
            assert_eq!(message, 7);
        },
        || sender.send(7).expect("the receiver is alive"),
    );
}
