//! The task that was to set a promise ends without having done so. Who waits for it panics at once.
//@ exit: 101

use rosser::{Promise, Setter, finish};

fn main() {
    let promise = Promise::<u64>::new();
    let setter = Setter::new(&promise);
    finish(|s| {
        s.spawn(move |_| drop(setter));
        s.spawn(|_| assert_eq!(*promise.get(), 1));
    });
}
