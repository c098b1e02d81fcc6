//! Promises, shared futures, isolated sections and accumulators of the task library. Of these cases there are
//! a few only, written by hand.

use crate::case::Case;

const CASES: &[(&str, &str)] = &[
    (
        "promise/write_before_set",
        "
let c = Share(Cell::new(0_u32));
let ready = rosser::Promise::new();
rosser::finish(|s| {
    s.spawn(|_| { c.set(1); ready.set(()) });
    s.spawn(|_| { ready.get(); drop(black_box(c.get())) });
});",
    ),
    (
        "promise/write_after_set",
        "
let c = Share(Cell::new(0_u32));
let ready = rosser::Promise::new();
rosser::finish(|s| {
    s.spawn(|_| { ready.set(()); c.set(1) }); //~ race
    s.spawn(|_| { ready.get(); drop(black_box(c.get())) }); //~ race
});",
    ),
    (
        "promise/read_before_get",
        "
let c = Share(Cell::new(0_u32));
let ready = rosser::Promise::new();
rosser::finish(|s| {
    s.spawn(|_| { c.set(1); ready.set(()) }); //~ race
    s.spawn(|_| { drop(black_box(c.get())); ready.get(); }); //~ race
});",
    ),
    (
        "promise/got_by_parent",
        "
let c = Share(Cell::new(0_u32));
let ready = rosser::Promise::new();
rosser::finish(|s| {
    s.spawn(|_| { c.set(c.get() + 1); ready.set(()) });
    ready.get();
    c.set(c.get() + 1)
});",
    ),
    (
        "promise/value",
        "
let ready = rosser::Promise::new();
rosser::finish(|s| {
    s.spawn(|_| ready.set([1_u8; 24]));
    s.spawn(|_| drop(black_box(*ready.get())));
});",
    ),
    (
        "shared_future/after_get",
        "
let c = Share(Cell::new(0_u32));
rosser::finish(|s| {
    let first = s.spawn_future(|_| c.set(1)).share();
    let second = first.clone();
    s.spawn(|_| { let first = first; first.get(); drop(black_box(c.get())) });
    s.spawn(|_| { let second = second; second.get(); drop(black_box(c.get())) });
});",
    ),
    (
        "shared_future/both_write",
        "
let c = Share(Cell::new(0_u32));
rosser::finish(|s| {
    let first = s.spawn_future(|_| c.set(1)).share();
    let second = first.clone();
    s.spawn(|_| { let first = first; first.get(); c.set(2) }); //~ race
    s.spawn(|_| { let second = second; second.get(); c.set(3) }); //~ race
});",
    ),
    (
        "future/after_get",
        "
let c = Share(Cell::new(0_u32));
rosser::finish(|s| {
    let first = s.spawn_future(|_| c.set(1));
    first.get();
    c.set(2)
});",
    ),
    (
        "future/dropped",
        "
let c = Share(Cell::new(0_u32));
rosser::finish(|s| {
    drop(s.spawn_future(|_| c.set(1))); //~ race
    c.set(2) //~ race
});",
    ),
    (
        "procedure/after_sync",
        "
let c = Share(Cell::new(0_u32));
rosser::procedure(|p| {
    p.spawn(|_| c.set(1));
    p.sync();
    c.set(2)
});",
    ),
    (
        "begin/after_end",
        "
let c = Share(Cell::new(0_u32));
rosser::finish(|s| {
    let inner = s.begin();
    inner.spawn(|_| c.set(1));
    inner.end();
    c.set(2)
});",
    ),
    (
        "isolated/both",
        "
let c = Share(Cell::new(1_u32));
rosser::finish(|s| {
    s.spawn(|_| rosser::isolated(|| c.set(c.get() * 3))); //~ order
    s.spawn(|_| rosser::isolated(|| c.set(c.get() + 5))); //~ order
});",
    ),
    (
        "isolated/one",
        "
let c = Share(Cell::new(1_u32));
rosser::finish(|s| {
    s.spawn(|_| rosser::isolated(|| c.set(c.get() * 3))); //~ race
    s.spawn(|_| c.set(c.get() + 5)); //~ race
});",
    ),
    (
        "accumulator",
        "
let sum = rosser::Accumulator::new(rosser::Sum, 0_u32);
rosser::finish(|s| {
    s.spawn(|_| sum.accumulate(1));
    s.spawn(|_| sum.accumulate(2));
});
black_box(sum.into_inner());",
    ),
    (
        "unmonitored",
        "
let c = Share(Cell::new(0_u64));
rosser::unmonitored(&c);
rosser::finish(|s| {
    s.spawn(|_| c.set(c.get() + 1));
    s.spawn(|_| c.set(c.get() + 1));
});",
    ),
];

pub fn all() -> Vec<Case> {
    let case = |(name, source): &(&str, &str)| {
        Case::new((*name).to_owned(), source.trim_start().to_owned())
    };
    CASES.iter().map(case).collect()
}
