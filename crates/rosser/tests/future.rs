//! Futures of both kinds.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rosser::{Promise, finish};

#[test]
fn a_value_need_not_be_sync() {
    let value = finish(|s| s.spawn_future(|_| Cell::new(3)).get().get());
    assert_eq!(value, 3);
}

#[test]
fn a_future_may_be_got_by_another_task() {
    let result = Promise::new();
    finish(|s| {
        let first = s.spawn_future(|_| 20);
        let second = s.spawn_future(move |_| first.get() + 1);
        s.spawn(|_| result.set(second.get() * 2));
    });
    assert_eq!(result.into_inner(), Some(42));
}

#[test]
fn a_future_may_leave_its_finish() {
    let future = finish(|s| s.spawn_future(|_| String::from("left")));
    assert_eq!(future.get(), "left");
}

#[test]
fn a_shared_future_is_got_by_many() {
    let value = Arc::new(());
    finish(|s| {
        let value = Arc::clone(&value);
        let shared = s.spawn_future(move |_| value).share();
        for _ in 0..50 {
            let shared = shared.clone();
            s.spawn(move |_| assert!(Arc::strong_count(shared.get()) >= 2));
        }
    });
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn values_nobody_gets_are_dropped() {
    let value = Arc::new(());
    finish(|s| {
        for _ in 0..10 {
            let value = Arc::clone(&value);
            drop(s.spawn_future(move |_| value));
        }
    });
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn the_panic_of_a_task_is_what_the_finish_resumes() {
    for _ in 0..200 {
        let panic = catch_unwind(|| {
            finish(|s| {
                let broken = s.spawn_future(|_| -> u32 { panic!("cause") });
                s.spawn(move |_| _ = broken.get());
            });
        });
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"cause"));
    }
}

#[test]
fn getting_a_future_whose_task_panicked_says_so() {
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            let broken = s.spawn_future(|_| -> u32 { panic!("cause") });
            let panic = catch_unwind(AssertUnwindSafe(|| broken.get())).unwrap_err();
            let text = panic.downcast_ref::<String>().unwrap();
            assert!(text.contains("the task of the future made at") && text.contains("panicked"));
        });
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"cause"));
}
