//! Panics: everything runs all the same, and the right one goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use rayon_core::ThreadPoolBuilder;

fn message_of(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic goes on");
    text(payload.as_ref()).to_owned()
}

fn text(payload: &(dyn Any + Send)) -> &'static str {
    payload.downcast_ref::<&str>().expect("all panics here are of constant text")
}

#[test]
fn join_calls_the_second_after_the_first_panicked() {
    let mut called = false;
    let message = message_of(|| {
        rayon_core::join(|| panic!("first"), || called = true);
    });
    assert_eq!((message.as_str(), called), ("first", true));
}

#[test]
fn join_goes_on_with_the_panic_of_the_second() {
    let message = message_of(|| {
        rayon_core::join(|| String::from("dropped"), || panic!("second"));
    });
    assert_eq!(message, "second");
}

#[test]
fn join_prefers_the_panic_of_the_first() {
    let message = message_of(|| {
        rayon_core::join(|| panic!("first"), || panic!("second"));
    });
    assert_eq!(message, "first");
}

#[test]
fn scope_runs_everything_and_goes_on_with_the_first_panic() {
    let ran = AtomicUsize::new(0);
    let message = message_of(|| {
        rayon_core::scope(|s| {
            s.spawn(|_| ran.store(1, Ordering::Relaxed));
            s.spawn(|_| panic!("a task"));
            s.spawn(|_| panic!("a later task"));
            s.spawn(|_| ran.store(2, Ordering::Relaxed));
            panic!("the body");
        });
    });
    assert_eq!((message.as_str(), ran.into_inner()), ("a task", 2));
}

#[test]
fn scope_goes_on_with_the_panic_of_its_body() {
    assert_eq!(message_of(|| rayon_core::scope(|_| panic!("the body"))), "the body");
}

#[test]
fn install_lets_panics_through_and_leaves_the_pool() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!(message_of(|| pool.install(|| panic!("inside"))), "inside");
    assert_eq!(pool.current_thread_index(), None);
}

#[test]
fn panics_leave_pools_in_tasks_as_well() {
    let message = message_of(|| {
        rayon_core::join(|| panic!("inside"), || ());
    });
    assert_eq!(message, "inside");
    assert_eq!(rayon_core::current_thread_index(), None);
}

#[test]
fn broadcast_makes_every_call_and_goes_on_with_a_panic() {
    let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let calls = AtomicUsize::new(0);
    let message = message_of(|| {
        pool.broadcast(|context| {
            calls.fetch_add(1, Ordering::Relaxed);
            assert!(context.index() != 2, "two");
        });
    });
    assert_eq!((message.as_str(), calls.into_inner()), ("two", 4));
}

#[test]
fn scoped_broadcast_goes_on_with_a_panic() {
    let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let calls = AtomicUsize::new(0);
    let message = message_of(|| {
        pool.scope(|s| {
            s.spawn_broadcast(|_, context| {
                calls.fetch_add(1, Ordering::Relaxed);
                assert!(context.index() != 2, "two");
            });
        });
    });
    assert_eq!((message.as_str(), calls.into_inner()), ("two", 4));
}

#[test]
fn panics_of_detached_tasks_go_to_the_handler_of_their_pool() {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    let pool = ThreadPoolBuilder::new()
        .num_threads(3)
        .panic_handler(move |payload| {
            sender.lock().unwrap().send(text(payload.as_ref())).unwrap();
        })
        .build()
        .unwrap();
    pool.spawn(|| {
        rayon_core::spawn(|| panic!("nested"));
        panic!("spawned");
    });
    pool.spawn_broadcast(|_| panic!("broadcast"));
    drop(pool);
    let messages: Vec<_> = receiver.iter().collect();
    assert_eq!(messages, ["nested", "spawned", "broadcast", "broadcast", "broadcast"]);
}
