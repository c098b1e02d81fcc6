//! What can go wrong, and what is said then: each error is caught and printed, and the next one follows.
//!
//! `cargo run --release -p rosser --example errors`

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use rosser::{Promise, Setter, finish, isolated, procedure};

fn main() {
    // Everything is printed here, where it is caught.
    set_hook(Box::new(|_| ()));
    let (a, b) = (Promise::<u32>::new(), Promise::<u32>::new());
    show("two promises that wait for one another", || {
        finish(|s| {
            s.spawn(|_| a.set(b.get() + 1));
            s.spawn(|_| b.set(a.get() + 1));
        });
    });
    show("a promise that nobody sets", || {
        let promise = Promise::<String>::new();
        finish(|s| s.spawn(|_| drop(promise.get().clone())));
    });
    show("a second set", || {
        let promise = Promise::new();
        finish(|s| {
            s.spawn(|_| promise.set(vec![1]));
            s.spawn(|_| promise.set(vec![2]));
        });
    });
    show("a setter that is dropped", || {
        let promise = Promise::<u32>::new();
        let setter = Setter::new(&promise);
        finish(|s| {
            s.spawn(move |_| drop(setter));
            s.spawn(|_| assert_eq!(promise.get(), &1));
        });
    });
    show("a panic in a task", || {
        let value = String::from("owned by the task");
        finish(|s| s.spawn(move |_| panic!("{value}")));
    });
    show("a panic in a task that others wait for", || {
        let promise = Promise::<Box<u32>>::new();
        finish(|s| {
            for _ in 0..10 {
                s.spawn(|_| drop(promise.get().clone()));
            }
            s.spawn(|_| {
                assert!(finish(|_| false), "never set");
                promise.set(Box::new(1));
            });
        });
    });
    show("a future whose task panics", || {
        finish(|s| {
            let future = s.spawn_future(|_| -> String { panic!("no value") });
            s.spawn(move |_| drop(future.get()));
        });
    });
    show("a value that is taken before a sync", || {
        procedure(|p| drop(p.spawn(|_| String::from("too early")).take()));
    });
    show("a get that would wait inside an isolated section", || {
        let promise = Promise::<u32>::new();
        finish(|_| isolated(|| *promise.get()));
    });
}

fn show(what: &str, f: impl FnOnce()) {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("it is an error");
    println!("{what}:\n    {}\n", text(&*panic).replace('\n', "\n    "));
}

fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("something else")
}
