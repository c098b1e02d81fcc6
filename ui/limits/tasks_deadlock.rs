//! Two tasks wait for each other. There is no race, so it ends in the same way in every schedule:
//! with a panic that says who waits where.
//@ exit: 101

use rosser::{Promise, finish};

fn main() {
    let (left, right) = (Promise::<u64>::new(), Promise::<u64>::new());
    finish(|s| {
        s.spawn(|_| left.set(right.get() + 1));
        s.spawn(|_| right.set(left.get() + 1));
    });
}
