//! Two tasks set one promise. Whichever is second panics, and which one that is depends on the
//! schedule.
//@ exit: 101

use rosser::{Promise, finish};

fn main() {
    let promise = Promise::new();
    finish(|s| {
        s.spawn(|_| promise.set(1)); //~ order 1
        s.spawn(|_| promise.set(2)); //~ order 1
    });
}
