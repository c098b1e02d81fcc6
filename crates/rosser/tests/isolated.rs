//! Isolated sections.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser::{Promise, finish, isolated};

/// A counter whose increments are not atomic: some would be lost if sections overlapped.
#[derive(Default)]
struct Counter(AtomicU64);

impl Counter {
    fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    fn increment(&self) {
        let before = self.get();
        std::thread::yield_now();
        self.0.store(before + 1, Relaxed);
    }
}

#[test]
fn sections_exclude_one_another() {
    let counter = Counter::default();
    let counter = &counter;
    finish(|s| {
        for _ in 0..1000 {
            s.spawn(move |_| {
                isolated(|| {
                    // A section within a section is part of it.
                    isolated(|| counter.increment());
                    counter.increment();
                });
            });
        }
    });
    assert_eq!(counter.get(), 2000);
}

#[test]
fn a_get_that_would_wait_is_an_error() {
    let promise = Promise::<u32>::new();
    finish(|_| {
        let panic = catch_unwind(AssertUnwindSafe(|| isolated(|| *promise.get()))).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.contains("inside an isolated section"), "{text}");
        promise.set(1);
        assert_eq!(isolated(|| *promise.get()), 1);
    });
}

#[test]
fn starting_and_joining_tasks_is_an_error() {
    finish(|s| {
        for attempt in [
            &(|| s.spawn(|_| ())) as &dyn Fn(),
            &(|| finish(|_| ())),
            &(|| rosser::procedure(|_| ())),
        ] {
            let panic = catch_unwind(AssertUnwindSafe(|| isolated(attempt))).unwrap_err();
            assert!(panic.downcast_ref::<String>().unwrap().contains("isolated section"));
        }
    });
}

#[test]
fn a_panic_leaves_the_section() {
    catch_unwind(|| isolated(|| panic!("inside"))).unwrap_err();
    finish(|s| s.spawn(|_| isolated(|| ())));
}

#[test]
fn tasks_that_rayon_brings_along_wait_for_the_end_of_the_section() {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let counter = Counter::default();
    let counter = &counter;
    pool.install(|| {
        finish(|s| {
            for _ in 0..10 {
                s.spawn(move |_| isolated(|| counter.increment()));
            }
            isolated(|| {
                let before = counter.get();
                // The worker looks for other work, and finds tasks.
                while rayon_core::yield_now() == Some(rayon_core::Yield::Executed) {}
                assert_eq!(counter.get(), before);
            });
        });
    });
    assert_eq!(counter.get(), 10);
}
