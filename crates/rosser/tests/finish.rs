//! Finish and spawn: who waits for whom, what may be borrowed, what a panic does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use rosser::{Finish, finish};

#[test]
fn returns_what_the_body_returns() {
    assert_eq!(finish(|_| "value"), "value");
}

#[test]
fn waits_for_tasks_of_tasks() {
    fn tree<'scope>(s: &Finish<'scope>, depth: u32, leaves: &'scope AtomicUsize) {
        if depth == 0 {
            leaves.fetch_add(1, Relaxed);
            return;
        }
        for _ in 0..3 {
            s.spawn(move |s| tree(s, depth - 1, leaves));
        }
    }
    let leaves = AtomicUsize::new(0);
    finish(|s| tree(s, 8, &leaves));
    assert_eq!(leaves.into_inner(), 3_usize.pow(8));
}

#[test]
fn tasks_write_what_they_have_borrowed() {
    let mut squares = vec![0; 1000];
    finish(|s| {
        for (i, square) in squares.iter_mut().enumerate() {
            s.spawn(move |_| *square = i * i);
        }
    });
    assert!(squares.iter().enumerate().all(|(i, &square)| square == i * i));
}

#[test]
fn a_finish_inside_a_task_joins_only_its_own() {
    let order = AtomicUsize::new(0);
    finish(|s| {
        s.spawn(|_| {
            let mut inner = [0; 50];
            finish(|s| {
                for cell in &mut inner {
                    let order = &order;
                    s.spawn(move |_| *cell = 1 + order.fetch_add(1, Relaxed));
                }
            });
            assert!(inner.iter().all(|&cell| cell > 0));
        });
    });
    assert_eq!(order.into_inner(), 50);
}

#[test]
fn recursion_may_be_deep() {
    fn nest(depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        let mut below = 0;
        finish(|s| s.spawn(|_| below = nest(depth - 1)));
        below + 1
    }
    assert_eq!(nest(20_000), 20_000);
}

#[test]
fn the_first_panic_is_resumed_after_all_tasks_have_ended() {
    let ended = AtomicUsize::new(0);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            s.spawn(|_| panic!("first"));
            for _ in 0..100 {
                s.spawn(|_| _ = ended.fetch_add(1, Relaxed));
            }
        });
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"first"));
    assert_eq!(ended.into_inner(), 100);
}

#[test]
fn a_panicking_body_waits_for_its_tasks() {
    let ended = AtomicUsize::new(0);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            for _ in 0..100 {
                s.spawn(|_| _ = ended.fetch_add(1, Relaxed));
            }
            panic!("body");
        })
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"body"));
    assert_eq!(ended.into_inner(), 100);
}

#[test]
fn a_panic_crosses_finish_after_finish() {
    let panic = catch_unwind(|| finish(|s| s.spawn(|_| finish(|s| s.spawn(|_| panic!("deep"))))));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"deep"));
    // And a panic that is caught in a task stays there.
    finish(|s| {
        s.spawn(|_| {
            catch_unwind(|| finish(|s| s.spawn(|_| panic!("caught")))).unwrap_err();
        });
    });
}

#[test]
fn many_threads_may_call_it_at_once() {
    let total = AtomicUsize::new(0);
    thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                for _ in 0..50 {
                    finish(|s| {
                        for _ in 0..10 {
                            s.spawn(|_| _ = total.fetch_add(1, Relaxed));
                        }
                    });
                }
            });
        }
    });
    assert_eq!(total.into_inner(), 8 * 50 * 10);
}

#[test]
fn closures_are_dropped_exactly_once() {
    struct Counted<'a>(&'a AtomicUsize);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    let drops = AtomicUsize::new(0);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        finish(|s| {
            for i in 0..100 {
                let counted = Counted(&drops);
                s.spawn(move |_| {
                    let _counted = counted;
                    assert!(i % 10 != 0, "one in ten");
                });
            }
        });
    }));
    assert!(panic.is_err());
    assert_eq!(drops.into_inner(), 100);
}
