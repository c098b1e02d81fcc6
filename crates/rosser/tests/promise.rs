//! Promises: setting, getting, waiting, and what can go wrong short of a deadlock.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use rosser::{Promise, Setter, finish};

fn message(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<String>().map(String::as_str).expect("a formatted message")
}

#[test]
fn many_get_what_one_sets() {
    let promise = Promise::new();
    let total = AtomicUsize::new(0);
    finish(|s| {
        for _ in 0..100 {
            s.spawn(|_| _ = total.fetch_add(*promise.get(), Relaxed));
        }
        s.spawn(|_| promise.set(2));
    });
    assert_eq!(total.into_inner(), 200);
}

#[test]
fn waiting_frees_the_worker() {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let chain: Vec<Promise<u32>> = (0..1000).map(|_| Promise::new()).collect();
        let chain = &chain;
        finish(|s| {
            for i in 1..1000 {
                s.spawn(move |_| chain[i].set(chain[i - 1].get() + 1));
            }
            s.spawn(move |_| chain[0].set(0));
        });
        assert_eq!(*chain[999].get(), 999);
    });
}

#[test]
fn a_task_stays_on_its_thread() {
    let gate: Vec<Promise<()>> = (0..20).map(|_| Promise::new()).collect();
    let gate = &gate;
    finish(|s| {
        for _ in 0..200 {
            s.spawn(move |_| {
                // An `Rc` may be held while waiting, because the thread stays the same.
                let held = Rc::new(Cell::new(0));
                let before = thread::current().id();
                for gate in gate {
                    gate.get();
                    held.set(held.get() + 1);
                    assert_eq!(thread::current().id(), before);
                }
                assert_eq!(held.get(), 20);
            });
        }
        for gate in gate {
            s.spawn(move |_| gate.set(()));
        }
    });
}

#[test]
fn a_second_set_names_both_places() {
    let promise = Promise::new();
    let first = line!() + 1;
    promise.set(1);
    let second = line!() + 1;
    let panic = catch_unwind(AssertUnwindSafe(|| promise.set(2))).unwrap_err();
    let text = message(&*panic);
    assert!(text.contains("already set"), "{text}");
    assert!(text.contains(&format!("promise.rs:{first}:")), "{text}");
    assert!(second > first);
    assert_eq!(*promise.get(), 1);
}

#[test]
fn of_many_sets_one_succeeds() {
    let promise = Promise::new();
    let refused = AtomicUsize::new(0);
    finish(|s| {
        for i in 0..100 {
            let (promise, refused) = (&promise, &refused);
            s.spawn(move |_| {
                if let Err(error) = promise.try_set(i) {
                    assert_eq!(error.into_value(), i);
                    refused.fetch_add(1, Relaxed);
                }
            });
        }
    });
    assert_eq!(refused.into_inner(), 99);
    assert!(promise.into_inner().is_some());
}

#[test]
fn a_dropped_setter_is_reported_at_once() {
    let line = line!() + 1;
    let promise = Promise::<u32>::new();
    let reports = AtomicUsize::new(0);
    let setter = Setter::new(&promise);
    finish(|s| {
        for _ in 0..10 {
            s.spawn(|_| {
                let panic = catch_unwind(AssertUnwindSafe(|| *promise.get())).unwrap_err();
                let text = message(&*panic);
                assert!(text.contains("setter was dropped"), "{text}");
                assert!(text.contains(&format!("promise.rs:{line}:")), "{text}");
                reports.fetch_add(1, Relaxed);
            });
        }
        s.spawn(move |_| drop(setter));
    });
    assert_eq!(reports.into_inner(), 10);
    let late = promise.try_set(1).unwrap_err();
    assert!(late.to_string().contains("given up"), "{late}");
}

#[test]
fn a_panicking_setter_is_a_dropped_one() {
    let promise = Arc::new(Promise::<u32>::new());
    let setter = Setter::new(Arc::clone(&promise));
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            s.spawn(move |_| {
                let _obligation = setter;
                panic!("cause");
            });
            s.spawn(|_| {
                let panic = catch_unwind(AssertUnwindSafe(|| *promise.get())).unwrap_err();
                assert!(message(&*panic).contains("setter was dropped"));
            });
        });
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"cause"));
}

#[test]
fn a_thread_outside_sleeps_until_it_is_set() {
    let promise = Promise::new();
    thread::scope(|threads| {
        threads.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            finish(|s| s.spawn(|_| promise.set(1)));
        });
        assert_eq!(*promise.get(), 1);
    });
}

#[test]
fn a_thread_outside_learns_of_a_dropped_setter() {
    let promise = Promise::<u32>::new();
    let setter = Setter::new(&promise);
    thread::scope(|threads| {
        threads.spawn(move || {
            thread::sleep(Duration::from_millis(20));
            drop(setter);
        });
        let panic = catch_unwind(AssertUnwindSafe(|| *promise.get())).unwrap_err();
        assert!(message(&*panic).contains("will never be set"));
    });
}

#[test]
fn tasks_may_wait_for_the_outside() {
    let promise = Promise::outside();
    thread::scope(|threads| {
        threads.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            promise.set(1);
        });
        finish(|s| {
            for _ in 0..10 {
                s.spawn(|_| assert_eq!(*promise.get(), 1));
            }
        });
    });
}

#[test]
fn values_are_dropped_exactly_once() {
    let value = Arc::new(());
    {
        let set: Vec<Promise<Arc<()>>> = (0..10).map(|_| Promise::new()).collect();
        let unset = Promise::<Arc<()>>::new();
        finish(|s| {
            for promise in &set {
                s.spawn(|_| promise.set(Arc::clone(&value)));
                s.spawn(|_| drop(Arc::clone(promise.get())));
            }
        });
        assert_eq!(Arc::strong_count(&value), 11);
        drop(unset);
    }
    assert_eq!(Arc::strong_count(&value), 1);
}
