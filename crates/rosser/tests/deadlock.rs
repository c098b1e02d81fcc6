//! Deadlocks are reported, never hung in; and nothing else is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rosser::{Promise, finish};

/// A deadlock concerns all tasks of the process, so the tests take turns.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The report of a deadlock in `run`.
fn report(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    *panic.downcast::<String>().expect("a formatted message")
}

#[test]
fn a_promise_that_nobody_sets() {
    let _alone = alone();
    let promise = Promise::<u32>::new();
    let line = line!() + 1;
    let text = report(|| finish(|_| _ = promise.get()));
    assert!(text.starts_with("deadlock: 1 task is blocked"), "{text}");
    assert!(text.contains(&format!("deadlock.rs:{line}:")), "{text}");
    assert!(text.contains(&format!("deadlock.rs:{}:", line - 2)), "{text}");
}

#[test]
fn two_promises_that_wait_for_one_another() {
    let _alone = alone();
    let (a, b) = (Promise::<u32>::new(), Promise::<u32>::new());
    let line = line!();
    let text = report(|| {
        finish(|s| {
            s.spawn(|_| a.set(b.get() + 1));
            s.spawn(|_| b.set(a.get() + 1));
        });
    });
    assert!(text.starts_with("deadlock: 2 tasks are blocked"), "{text}");
    assert!(text.contains(&format!("deadlock.rs:{}:", line + 3)), "{text}");
    assert!(text.contains(&format!("deadlock.rs:{}:", line + 4)), "{text}");
}

#[test]
fn a_finish_that_stands_between() {
    let _alone = alone();
    // The setter waits, in a finish, for a task that waits for what it is to set.
    let promise = Promise::<u32>::new();
    let text = report(|| {
        finish(|s| {
            s.spawn(|_| {
                finish(|s| s.spawn(|_| _ = promise.get()));
                promise.set(1);
            });
        });
    });
    assert!(text.contains("1 task is blocked"), "{text}");
}

#[test]
fn a_long_circle() {
    let _alone = alone();
    let circle: Vec<Promise<usize>> = (0..1000).map(|_| Promise::new()).collect();
    let circle = &circle;
    let text = report(|| {
        finish(|s| {
            for i in 0..1000 {
                s.spawn(move |_| circle[(i + 1) % 1000].set(circle[i].get() + 1));
            }
        });
    });
    assert!(text.contains("1000 tasks are blocked"), "{text}");
    assert!(text.contains("(1000 tasks)"), "{text}");
}

#[test]
fn the_others_have_ended_and_the_blocked_are_unwound() {
    let _alone = alone();
    let held = Arc::new(());
    let ended = AtomicUsize::new(0);
    let never = Promise::<u32>::new();
    let text = report(|| {
        finish(|s| {
            for _ in 0..50 {
                let held = Arc::clone(&held);
                s.spawn(|_| {
                    never.get();
                    drop(held);
                });
                s.spawn(|_| _ = ended.fetch_add(1, Relaxed));
            }
        });
    });
    assert!(text.contains("50 tasks are blocked"), "{text}");
    assert_eq!(ended.into_inner(), 50);
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_panic_that_causes_one_comes_first() {
    let _alone = alone();
    let promise = Promise::<u32>::new();
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            s.spawn(|_| _ = promise.get());
            s.spawn(|_| {
                assert!(std::hint::black_box(false), "cause");
                promise.set(1);
            });
        });
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"cause"));
}

#[test]
fn a_task_may_survive_it() {
    let _alone = alone();
    let (a, b) = (Promise::<u32>::new(), Promise::<u32>::new());
    let mut seen = 0;
    finish(|s| {
        s.spawn(|_| {
            let text = report(|| _ = a.get());
            assert!(text.starts_with("deadlock"), "{text}");
            b.set(7);
        });
        s.spawn(|_| {
            // Blocked as well when it is found out; set by the time it is asked again.
            let first = catch_unwind(AssertUnwindSafe(|| *b.get()));
            seen = first.unwrap_or_else(|_| *b.get());
        });
    });
    assert_eq!(seen, 7);
}

#[test]
fn in_a_pool_of_ones_own() {
    let _alone = alone();
    for workers in [1, 2, 4] {
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
        let never = Promise::<u32>::new();
        let text = report(|| {
            pool.install(|| {
                finish(|s| {
                    for _ in 0..20 {
                        s.spawn(|_| _ = never.get());
                    }
                });
            });
        });
        assert!(text.contains("20 tasks are blocked"), "{text}");
    }
}

#[test]
fn again_and_again() {
    let _alone = alone();
    for _ in 0..500 {
        let (a, b) = (Promise::<u32>::new(), Promise::<u32>::new());
        let caught = catch_unwind(AssertUnwindSafe(|| {
            finish(|s| {
                s.spawn(|_| a.set(*b.get()));
                s.spawn(|_| b.set(*a.get()));
            });
        }));
        assert!(caught.is_err());
    }
}

#[test]
fn a_get_outside_any_finish_that_nobody_can_satisfy() {
    // In a process of its own, in which the test runs on the main thread: of what other threads of this
    // one are up to nothing is known.
    if std::env::var_os("ALONE").is_none() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.arg("a_get_outside_any_finish_that_nobody_can_satisfy");
        command.args(["--exact", "--nocapture", "--test-threads=1"]).env("ALONE", "1");
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("deadlock: 1 task is blocked"), "{said}");
        assert_eq!(output.status.code(), Some(101), "{said}");
        return;
    }
    let promise = Promise::<u32>::new();
    finish(|_| ());
    promise.get();
}
