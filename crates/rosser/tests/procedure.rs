//! Spawn and sync.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rosser::{Procedure, procedure};

#[test]
fn a_sync_waits_for_the_children_and_theirs() {
    let count = AtomicUsize::new(0);
    let count = &count;
    procedure(|p| {
        for round in 1..=20 {
            for _ in 0..5 {
                p.spawn(move |p| {
                    p.spawn(move |_| _ = count.fetch_add(1, Relaxed));
                });
            }
            p.sync();
            assert_eq!(count.load(Relaxed), round * 5);
        }
    });
}

#[test]
fn the_end_is_a_sync() {
    let mut written = [0; 100];
    procedure(|p| {
        for cell in &mut written {
            p.spawn(move |_| *cell = 1);
        }
    });
    assert_eq!(written, [1; 100]);
}

#[test]
fn values_are_taken_after_the_sync() {
    fn sum(p: &Procedure<'_>, from: u64, to: u64) -> u64 {
        if to - from < 8 {
            return (from..to).sum();
        }
        let middle = u64::midpoint(from, to);
        let left = p.spawn(move |p| sum(p, from, middle));
        let right = p.spawn(move |p| sum(p, middle, to));
        p.sync();
        left.take() + right.take()
    }
    assert_eq!(procedure(|p| sum(p, 0, 10_000)), 10_000 * 9_999 / 2);
}

#[test]
fn a_value_taken_too_early_is_an_error_whatever_the_schedule() {
    let line = line!() + 3;
    let panic = catch_unwind(AssertUnwindSafe(|| {
        procedure(|p| {
            let child = p.spawn(|_| 1);
            std::thread::yield_now();
            child.take()
        })
    }));
    let panic = panic.unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("before a sync") && text.contains(&format!(":{line}:")), "{text}");
}

#[test]
fn a_childs_panic_comes_out_of_the_sync() {
    procedure(|p| {
        p.spawn(|_| panic!("child"));
        let panic = catch_unwind(AssertUnwindSafe(|| p.sync())).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"child"));
    });
    let panic = catch_unwind(|| {
        procedure(|p| {
            p.spawn(|_| panic!("unsynced child"));
        });
    });
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"unsynced child"));
}
