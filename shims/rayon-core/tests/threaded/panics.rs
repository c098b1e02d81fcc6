//! Panics on several threads: everything runs all the same, and the first one goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rayon_core::Scope;

use crate::runtime::on_workers;
use crate::{Event, pool};

fn message_of(f: impl FnOnce()) -> &'static str {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic goes on");
    payload.downcast_ref::<&str>().expect("all panics here are of constant text")
}

fn wait_for_a_panic_in(scope: &Scope<'_>) {
    while !format!("{scope:?}").contains("panicked: true") {
        thread::yield_now();
    }
}

#[test]
fn the_first_panic_of_a_scope_goes_on() {
    on_workers(3, || {
        let (pool, both) = (pool(3), [Event::default(), Event::default()]);
        let ran = AtomicUsize::new(0);
        let message = message_of(|| {
            pool.scope(|s| {
                s.spawn(|s| {
                    both[0].happen();
                    both[1].wait();
                    wait_for_a_panic_in(s);
                    panic!("second");
                });
                s.spawn(|_| {
                    both[1].happen();
                    both[0].wait();
                    panic!("first");
                });
                wait_for_a_panic_in(s);
                s.spawn(|_| ran.store(1, Ordering::Relaxed));
                panic!("the body");
            });
        });
        assert_eq!((message, ran.into_inner()), ("first", 1));
    });
}

#[test]
fn the_panic_of_the_body_may_be_the_first() {
    on_workers(2, || {
        let message = message_of(|| {
            pool(2).scope(|s| {
                s.spawn(|s| {
                    wait_for_a_panic_in(s);
                    panic!("a task");
                });
                panic!("the body");
            });
        });
        assert_eq!(message, "the body");
    });
}

#[test]
fn panics_at_the_same_time_are_one() {
    on_workers(3, || {
        let pool = pool(3);
        for _ in 0..20 {
            let ran = AtomicUsize::new(0);
            let task = |_: &Scope<'_>| {
                ran.fetch_add(1, Ordering::Relaxed);
                panic!("a task");
            };
            let message = message_of(|| {
                pool.scope(|s| {
                    for _ in 0..10 {
                        s.spawn(task);
                    }
                });
            });
            assert_eq!((message, ran.into_inner()), ("a task", 10));
        }
    });
}

#[test]
fn join_prefers_the_panic_of_the_first_half() {
    on_workers(2, || {
        let panicking = Event::default();
        let message = message_of(|| {
            pool(2).join(
                || {
                    panicking.wait();
                    panic!("first")
                },
                || {
                    panicking.happen();
                    panic!("second")
                },
            );
        });
        assert_eq!(message, "first");
        assert_eq!(rayon_core::current_thread_index(), None);
    });
}
