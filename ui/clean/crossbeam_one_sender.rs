//! One task sends into a crossbeam channel, bounded or not, and the caller receives after the
//! region.

use crossbeam::channel::{bounded, unbounded};

fn main() {
    for (sender, receiver) in [bounded(40), unbounded()] {
        rayon::scope(|scope| {
            scope.spawn(move |_| {
                for item in 0..40_u32 {
                    sender.send(item).expect("the receiver is alive");
                }
            });
        });
        assert!(receiver.into_iter().eq(0..40));
    }
}
