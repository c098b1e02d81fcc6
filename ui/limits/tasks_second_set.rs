//! Two tasks set one promise. Whichever is second panics.
//@ exit: 101

use rosser::{Promise, finish};

fn main() {
    let promise = Promise::new();
    finish(|s| {
        s.spawn(|_| promise.set(1));
        s.spawn(|_| promise.set(2));
    });
}
