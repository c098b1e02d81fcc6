//! Scopes that are begun and ended by hand.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rosser::finish;

#[test]
fn ends_wait_for_their_own_tasks_and_those_of_them() {
    let count = AtomicUsize::new(0);
    let count = &count;
    finish(|s| {
        for round in 1..=20 {
            let scope = s.begin();
            for _ in 0..10 {
                scope.spawn(move |s| s.spawn(move |_| _ = count.fetch_add(1, Relaxed)));
            }
            scope.end();
            assert_eq!(count.load(Relaxed), round * 10);
        }
    });
}

#[test]
fn scopes_nest() {
    let count = AtomicUsize::new(0);
    let count = &count;
    finish(|s| {
        let outer = s.begin();
        outer.spawn(move |s| {
            let inner = s.begin();
            inner.spawn(move |_| _ = count.fetch_add(1, Relaxed));
            inner.end();
            assert_eq!(count.load(Relaxed), 1);
            s.spawn(move |_| _ = count.fetch_add(1, Relaxed));
        });
        outer.end();
        assert_eq!(count.load(Relaxed), 2);
    });
}

#[test]
fn a_drop_waits_too() {
    let count = AtomicUsize::new(0);
    finish(|s| {
        {
            let scope = s.begin();
            scope.spawn(|_| _ = count.fetch_add(1, Relaxed));
        }
        assert_eq!(count.load(Relaxed), 1);
    });
}

#[test]
fn a_forgotten_scope_is_waited_for_by_the_finish() {
    let mut written = [0; 100];
    finish(|s| {
        let scope = s.begin();
        for cell in &mut written {
            scope.spawn(move |_| *cell = 1);
        }
        std::mem::forget(scope);
    });
    assert_eq!(written, [1; 100]);
}

#[test]
fn panics_come_out_of_end_or_else_of_the_finish() {
    let panic = catch_unwind(|| {
        finish(|s| {
            let scope = s.begin();
            scope.spawn(|_| panic!("in the scope"));
            let panic = catch_unwind(AssertUnwindSafe(|| scope.end())).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"in the scope"));
            let scope = s.begin();
            scope.spawn(|_| panic!("in the dropped scope"));
        });
    });
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"in the dropped scope"));
}

#[test]
fn a_panicking_task_leaves_its_scope_to_the_finish() {
    let mut written = [0; 100];
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            let scope = s.begin();
            for cell in &mut written {
                scope.spawn(move |_| *cell = 1);
            }
            panic!("owner");
        });
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"owner"));
    assert_eq!(written, [1; 100]);
}
