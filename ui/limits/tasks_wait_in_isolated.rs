//! A task would have to wait inside an isolated section, which panics. In depth-first order nobody
//! has set the promise by then.
//@ exit: 101

use rosser::{Promise, finish, isolated};

fn main() {
    let (first, second) = (Promise::<u64>::new(), Promise::<u64>::new());
    finish(|s| {
        s.spawn(|_| {
            isolated(|| assert_eq!(*second.get(), 2));
            first.set(1);
        });
        s.spawn(|_| second.set(first.get() + 1));
    });
}
