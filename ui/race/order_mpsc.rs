//! Two tasks send into one channel of std: the order of the messages is that of the schedule.

use std::sync::mpsc::channel;

use rayon::prelude::*;

fn main() {
    let (sender, receiver) = channel();
    (0..8_u32).into_par_iter().for_each(|item| {
        sender.send(item).expect("the receiver is alive"); //~ order 1
    });
    drop(sender);
    assert_eq!(receiver.into_iter().sum::<u32>(), 28);
}
