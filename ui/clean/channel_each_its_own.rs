//! A channel for every task: results come back in order, whatever the schedule.

use std::sync::mpsc::channel;

fn main() {
    let mut receivers = Vec::new();
    rayon::scope(|scope| {
        for item in 0..8_u32 {
            let (sender, receiver) = channel();
            receivers.push(receiver);
            scope.spawn(move |_| sender.send(item * item).expect("the receiver is alive"));
        }
    });
    let squares = receivers.iter().map(|receiver| receiver.recv().expect("one message"));
    assert_eq!(squares.sum::<u32>(), 140);
}
