//! Two services that start up at the same time. Each makes its address known when it is ready, and
//! to be ready it needs the address of the other.
//!
//! The bug: nobody can begin. There is no race, so it is the same in every schedule: when only
//! waiting tasks are left, their gets panic and say who waits where.
//@ exit: 101

use rosser::{Finish, Promise, finish};

struct Service {
    name: &'static str,
    address: Promise<u16>,
}

fn start<'scope>(s: &Finish<'scope>, this: &'scope Service, other: &'scope Service, port: u16) {
    s.spawn(move |_| {
        let peer = other.address.get();
        println!("{} is at {port} and talks to {} at {peer}", this.name, other.name);
        this.address.set(port);
    });
}

fn main() {
    let [store, index] =
        ["the store", "the index"].map(|name| Service { name, address: Promise::new() });
    finish(|s| {
        start(s, &store, &index, 7001);
        start(s, &index, &store, 7002);
    });
}
